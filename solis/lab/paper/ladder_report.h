// The Elo ladder: results of configurations against Stockfish's caps, in the paper's layout, with
// ratings and with how far they can be trusted.
#pragma once
#include <span>
#include <string>
#include <vector>

#include "solis/base/result.h"
#include "solis/lab/paper/protocol.h"
#include "solis/lab/rating/ladder_fit.h"

namespace solis::lab {

struct LadderColumn {
    PaperConfig config;
    std::vector<GameRecord> games;
};

struct RatedColumn {
    PaperConfig config;
    std::vector<std::pair<int, ScoreCount>> cells;  // cap and result against it
    double elo = 0;
    double error = 0;            // standard error, from pairs
    std::vector<LadderFit> fit;  // none with too few caps
    std::vector<std::string> warnings;
    std::uint64_t distinct_games = 0;
};

// Columns without games are left out. Caps are taken for ratings, as in the paper; the warnings say
// whether that holds.
[[nodiscard]] Result<std::vector<RatedColumn>> rate_ladder(std::span<const LadderColumn> columns,
                                                           std::span<const int> caps);

// Wins-draws-losses (points of 100) by cap and width, one block per depth and scoring; then ratings
// beside the paper's and the warnings.
[[nodiscard]] std::string ladder_text(std::span<const RatedColumn> columns);
[[nodiscard]] std::string ladder_json(std::span<const RatedColumn> columns);
// Elo over depth, a line per width with its 95 % band; dashed the paper's.
[[nodiscard]] std::string ladder_svg(std::span<const RatedColumn> columns);

}  // namespace solis::lab
