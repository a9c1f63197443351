// What one side attacks, by the kind of piece that attacks.
#pragma once
#include "solis/chess/position.h"

namespace solis::chess {

struct AttackedSquares {
    Bitboard pawn = 0, minor = 0, rook = 0, queen = 0, king = 0;

    [[nodiscard]] Bitboard all() const { return pawn | minor | rook | queen | king; }
};

// A template, and in a header, because encoders and plans call it for every position they meet.
template <Color Side>
[[nodiscard]] AttackedSquares attacked_squares(const Position& position) {
    const Bitboard occupied = position.pieces();
    AttackedSquares attacked;
    attacked.pawn = pawn_attacks<Side>(position.pieces(Side, PieceType::Pawn));
    for (Bitboard b = position.pieces(Side, PieceType::Knight); b != 0;) {
        attacked.minor |= knight_attacks(pop_lowest(b));
    }
    for (Bitboard b = position.pieces(Side, PieceType::Bishop); b != 0;) {
        attacked.minor |= bishop_attacks(pop_lowest(b), occupied);
    }
    for (Bitboard b = position.pieces(Side, PieceType::Rook); b != 0;) {
        attacked.rook |= rook_attacks(pop_lowest(b), occupied);
    }
    for (Bitboard b = position.pieces(Side, PieceType::Queen); b != 0;) {
        attacked.queen |= queen_attacks(pop_lowest(b), occupied);
    }
    attacked.king = king_attacks(position.king(Side));
    return attacked;
}

[[nodiscard]] inline AttackedSquares attacked_squares(const Position& position, Color side) {
    return side == Color::White ? attacked_squares<Color::White>(position)
                                : attacked_squares<Color::Black>(position);
}

}  // namespace solis::chess
