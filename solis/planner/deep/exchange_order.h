// Whether a move loses an exchange, judged by the order of the pieces alone.
#pragma once
#include "solis/chess/position.h"

namespace solis::planner {

// A prior from the rules rather than a material table: pawn < knight = bishop < rook < queen < king
// says who may capture whom without regret, and the steps between neighbours all count the same. It
// decides what is worth embedding; it never enters a value.
[[nodiscard]] constexpr int exchange_rank(chess::PieceType type) {
    constexpr int kRanks[] = {1, 2, 2, 3, 4, 100, 0};
    return kRanks[index(type)];
}

// True where the mover ends more than `tolerance` steps behind when both sides go on capturing on
// the target square of a legal move, least piece first, as long as it pays. Pins are not seen.
// Promotions, castling and en passant never lose.
[[nodiscard]] bool loses_exchange(const chess::Position& position, chess::Move move,
                                  int tolerance = 0);

}  // namespace solis::planner
