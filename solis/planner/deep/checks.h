// Which moves give check, known before they are made.
#pragma once
#include <array>

#include "solis/chess/position.h"

namespace solis::planner {

// Of one position and its side to move.
class CheckSquares {
  public:
    explicit CheckSquares(const chess::Position& position);

    [[nodiscard]] bool gives_check(const chess::Position& position, chess::Move move) const {
        if (move.kind() != chess::MoveKind::Normal) return position.after(move).in_check();
        const auto type = static_cast<std::size_t>(index(type_of(position.piece_on(move.from()))));
        if (from_[type] & chess::bit(move.to())) return true;
        return (shields_ & chess::bit(move.from())) != 0 &&
               (chess::line(king_, move.from()) & chess::bit(move.to())) == 0;
    }

  private:
    chess::Square king_;                   // the opponent's
    std::array<chess::Bitboard, 6> from_;  // where a piece of each type checks it
    chess::Bitboard shields_ = 0;  // own pieces that stand between it and one of our sliders
};

inline CheckSquares::CheckSquares(const chess::Position& position)
    : king_(position.king(~position.side_to_move())) {
    const chess::Color us = position.side_to_move();
    const chess::Bitboard occupied = position.pieces();
    const chess::Bitboard diagonal = chess::bishop_attacks(king_, occupied);
    const chess::Bitboard straight = chess::rook_attacks(king_, occupied);
    from_ = {chess::pawn_attacks(~us, king_),
             chess::knight_attacks(king_),
             diagonal,
             straight,
             diagonal | straight,
             0};
    // Sliders that see the king once the pieces next to it are lifted.
    const chess::Bitboard own = position.pieces(us);
    const chess::Bitboard near = (diagonal | straight) & own;
    if (near == 0) return;
    const chess::Bitboard without = occupied ^ near;
    chess::Bitboard snipers =
        (chess::bishop_attacks(king_, without) & position.diagonal_sliders(us) & ~diagonal) |
        (chess::rook_attacks(king_, without) & position.straight_sliders(us) & ~straight);
    while (snipers != 0) shields_ |= chess::between(king_, chess::pop_lowest(snipers)) & near;
}

}  // namespace solis::planner
