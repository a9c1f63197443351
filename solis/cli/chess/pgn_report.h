// What was counted in a PGN file, for people and as JSON.
#pragma once
#include "solis/chess/pgn/stats.h"
#include "solis/cli/command.h"

namespace solis::cli {

[[nodiscard]] nlohmann::ordered_json pgn_stats_json(const chess::PgnStats& stats);
void print_pgn_stats(const chess::PgnStats& stats, Console& console);

}  // namespace solis::cli
