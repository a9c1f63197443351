// The results of recorded matches and of files of either kind, for ratings.
#pragma once
#include <span>

#include "solis/lab/match/game_record.h"
#include "solis/lab/rating/pgn_results.h"

namespace solis::lab {

// Games 2n and 2n+1 of a match are a pair if the players are the same. Games without result are
// left out. Every call takes one match.
void add_records(ResultTable& table, std::span<const GameRecord> games);

// Games of PGN files and of logs of matches, which are told by their first bytes; "-" is PGN on
// standard input. Pairs are looked for within each file.
[[nodiscard]] Result<PgnResults> read_results(std::span<const std::string> paths);

}  // namespace solis::lab
