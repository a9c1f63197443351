// The results of the games of a PGN file, with pairs of games from one opening.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "solis/base/byte_source.h"
#include "solis/chess/game_result.h"
#include "solis/lab/rating/result_table.h"

namespace solis::lab {

// A game as far as ratings need it.
struct PlayedGame {
    std::string white, black;
    HalfPoints white_result = HalfPoints::Draw;
    std::uint64_t opening = 0;  // games of a pair have the same: the key of the start position
    std::string round;          // preferred partner: tag Round up to the first dot; may be empty
};

// White's points; nothing without a result.
[[nodiscard]] std::optional<HalfPoints> half_points(chess::GameResult result);

// Two games are a pair if the same players met with colours reversed and the same opening. Games of
// the same round are paired first, the rest in the order of the list. Pairing games that have
// nothing in common does no harm: errors from pairs are right for independent games, too.
void add_games(ResultTable& table, const std::vector<PlayedGame>& games);

struct PgnResults {
    ResultTable table;
    std::uint64_t games = 0;
    std::uint64_t unfinished = 0;     // result "*": left out
    std::uint64_t self_play = 0;      // White and Black have the same name: left out
    std::uint64_t unnamed = 0;        // without the name of a player: left out
    std::vector<std::string> broken;  // why games were skipped; the first few
    std::uint64_t broken_count = 0;
};

// Adds all games to `results`. A broken game counts if its tags tell players and result: who lost
// with an illegal move lost, and moves that this program cannot read change no result.
[[nodiscard]] Result<void> read_pgn_results(ByteSource& source, PgnResults& results);

}  // namespace solis::lab
