// The results of recorded matches, for ratings.
#pragma once
#include <span>

#include "lab/match/game_record.h"
#include "lab/rating/result_table.h"

namespace solis::lab {

// Games 2n and 2n+1 of a match are a pair if the players are the same. Games without result are
// left out. Every call takes one match.
void add_records(ResultTable& table, std::span<const GameRecord> games);

}  // namespace solis::lab
