// Positions with a piece taken off the board, to ask what the piece is worth.
#pragma once
#include <optional>

#include "solis/chess/position.h"

namespace solis::chess {

// None where the rest is no legal position.
[[nodiscard]] std::optional<Position> without_piece(const Position& position, Square square);

}  // namespace solis::chess
