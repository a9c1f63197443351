// What is known before a plan begins: the moves to choose from, and what tablebases say.
#pragma once
#include <optional>
#include <vector>

#include "solis/chess/game.h"
#include "solis/chess/tablebase.h"
#include "solis/planner/limits.h"
#include "solis/planner/value.h"

namespace solis::planner {

struct RootMoves {
    std::vector<chess::Move> moves;
    std::optional<Value> tablebase_value{};  // of the best of them
};

// The legal moves, those asked for if there are any. Where the tables know the position, only the
// moves that keep its result; for a win only those that make progress as fast as possible.
[[nodiscard]] RootMoves root_moves(const chess::Position& root,
                                   const std::vector<chess::Move>& asked_for,
                                   const chess::Tablebase* tablebase, const ValueScale& scale);

// What the tables say about a position inside a plan, `ply` plies from the root, for its side to
// move. None without tables or where they do not know.
[[nodiscard]] std::optional<Value> tablebase_value(const chess::Tablebase* tablebase,
                                                   const chess::Position& position, int ply,
                                                   const ValueScale& scale);

}  // namespace solis::planner
