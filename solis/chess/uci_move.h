// Moves in UCI notation: e2e4, e7e8q, castling as e1g1 or (Chess960) e1h1.
#pragma once
#include <string>
#include <string_view>

#include "solis/base/result.h"
#include "solis/chess/position.h"

namespace solis::chess {

enum class CastlingNotation {
    Automatic,      // e1g1, or king takes rook where the position needs Chess960 castling
    KingTakesRook,  // always e1h1, as UCI_Chess960 asks for
};

[[nodiscard]] std::string to_uci(const Position& position, Move move,
                                 CastlingNotation castling = CastlingNotation::Automatic);
// Only legal moves are accepted; castling in either notation. The error names the move and the
// position.
[[nodiscard]] Result<Move> parse_uci(const Position& position, std::string_view text);

}  // namespace solis::chess
