// Static exchange evaluation: what a series of captures on one square is worth.
#pragma once
#include "solis/chess/position.h"

namespace solis::chess {

// Worth of a piece in exchanges, in hundredths of a pawn. Kings are beyond price.
[[nodiscard]] constexpr int exchange_value(PieceType type) {
    constexpr int kValues[] = {100, 310, 330, 500, 950, 10000, 0};
    return kValues[index(type)];
}

// What a legal move gains when both sides go on capturing on its target square, least valuable
// piece first, as long as it pays. Pins are not seen. Promotions count as moves of a pawn, castling
// as 0.
[[nodiscard]] int static_exchange(const Position& position, Move move);

}  // namespace solis::chess
