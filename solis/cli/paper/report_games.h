// Games that are worth a look, in the layout of the paper's appendix.
#pragma once
#include <vector>

#include "solis/analysis/space/space_model.h"
#include "solis/lab/paper/report.h"

namespace solis::cli {

// Of the deepest plan, three moves wide where that was played: a win and a loss against the
// strongest opponent that has one, a draw, and another win. Each with the position in which the win
// probability changed most.
[[nodiscard]] std::vector<lab::ReportGame> chosen_games(
    const std::vector<lab::LadderColumn>& columns, const analysis::SpaceModel& model,
    ThreadPool& pool);

// Games A to I as the paper prints them, seen by the model.
[[nodiscard]] Result<std::vector<lab::ReportGame>> printed_games(const analysis::SpaceModel& model,
                                                                 ThreadPool& pool);

}  // namespace solis::cli
