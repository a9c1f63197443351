// What one side attacks, by the kind of piece that attacks.
#pragma once
#include "solis/chess/position.h"

namespace solis::chess {

struct AttackedSquares {
    Bitboard pawn = 0, knight = 0, bishop = 0, rook = 0, queen = 0, king = 0;

    [[nodiscard]] Bitboard minor() const { return knight | bishop; }
    [[nodiscard]] Bitboard all() const { return pawn | minor() | rook | queen | king; }
};

// Calls found(square, attacked) for every piece of one side but its pawns, whose squares are
// cheaper to find all at once. A template, and in a header, because encoders and plans call it for
// every position they meet.
template <Color Side, class Found>
[[nodiscard]] AttackedSquares attacked_squares(const Position& position, Found&& found) {
    const Bitboard occupied = position.pieces();
    AttackedSquares attacked;
    attacked.pawn = pawn_attacks<Side>(position.pieces(Side, PieceType::Pawn));
    const auto each = [&](PieceType type, Bitboard& all, auto&& attacks_from) {
        for (Bitboard b = position.pieces(Side, type); b != 0;) {
            const Square square = pop_lowest(b);
            const Bitboard squares = attacks_from(square);
            found(square, squares);
            all |= squares;
        }
    };
    each(PieceType::Knight, attacked.knight, [](Square s) { return knight_attacks(s); });
    each(PieceType::Bishop, attacked.bishop, [&](Square s) { return bishop_attacks(s, occupied); });
    each(PieceType::Rook, attacked.rook, [&](Square s) { return rook_attacks(s, occupied); });
    each(PieceType::Queen, attacked.queen, [&](Square s) { return queen_attacks(s, occupied); });
    each(PieceType::King, attacked.king, [](Square s) { return king_attacks(s); });
    return attacked;
}

template <Color Side>
[[nodiscard]] AttackedSquares attacked_squares(const Position& position) {
    return attacked_squares<Side>(position, [](Square, Bitboard) {});
}

[[nodiscard]] inline AttackedSquares attacked_squares(const Position& position, Color side) {
    return side == Color::White ? attacked_squares<Color::White>(position)
                                : attacked_squares<Color::Black>(position);
}

}  // namespace solis::chess
