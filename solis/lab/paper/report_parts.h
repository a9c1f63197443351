// Pieces of HTML from which the report of the paper is made.
#pragma once
#include <string>
#include <string_view>

#include "solis/lab/paper/audit.h"
#include "solis/lab/paper/report.h"

namespace solis::lab {

// Tables in the paper's layout. `printed` cells are the paper's, `ours` measured here.
[[nodiscard]] std::string models_table(std::span<const ReportModel> ours);
[[nodiscard]] std::string matches_table(std::span<const DepthMatch> matches);
[[nodiscard]] std::string nodes_table(std::span<const DepthMatch> matches);
[[nodiscard]] std::string settings_table(std::span<const ReportSetting> settings);
// The appendix: one block per depth of the paper's model and scoring, a column per width, a row per
// cap.
[[nodiscard]] std::string ladder_tables(PaperModel model, Scoring scoring,
                                        std::span<const RatedColumn> ours);
// Ratings of all configurations, printed and measured, and what is wrong with them.
[[nodiscard]] std::string ratings_table(const PaperAudit& audit, std::span<const RatedColumn> ours);
[[nodiscard]] std::string game_row(const ReportGame& game);
// How a move is found, with the numbers of a real position.
[[nodiscard]] std::string overview_svg(std::size_t legal_moves,
                                       std::span<const ReportCandidate> candidates);

}  // namespace solis::lab
