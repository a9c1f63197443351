// The room a king has left.
#include "planner/bare_king.h"

#include <algorithm>
#include <cstdlib>

#include "chess/attacks.h"

namespace solis::planner {
namespace {

using chess::Bitboard;
using chess::Color;
using chess::Position;
using chess::Square;

// Latent scores of the default model differ by 400 (rook) to 1300 (bishops) from one won position
// to the next for no reason. A rank of the box, or two steps of a king, must be worth about as
// much.
constexpr Value kPerSquare = 200;
constexpr Value kPerStep = 200;

Bitboard attacked_by(const Position& position, Color side, Bitboard occupied) {
    Bitboard attacked = 0;
    for (Bitboard pieces = position.pieces(side); pieces != 0;) {
        const Square square = chess::pop_lowest(pieces);
        attacked |=
            chess::piece_attacks(chess::type_of(position.piece_on(square)), square, occupied);
    }
    return attacked;
}

// Squares the king of `bare` could walk to if nobody else moved.
int room(const Position& position, Color bare) {
    const Bitboard king = position.pieces(bare);
    // It cannot hide behind itself, and what it can take is for the search to see.
    const Bitboard open =
        ~attacked_by(position, ~bare, position.pieces() & ~king) & ~position.pieces(~bare);
    Bitboard reached = king;
    for (Bitboard edge = king; edge != 0;) {
        Bitboard next = 0;
        while (edge != 0) next |= chess::king_attacks(chess::pop_lowest(edge));
        edge = next & open & ~reached;
        reached |= edge;
    }
    return chess::count(reached);
}

int steps(Square a, Square b) {
    return std::max(std::abs(chess::file_of(a) - chess::file_of(b)),
                    std::abs(chess::rank_of(a) - chess::rank_of(b)));
}

// Knights alone do not force a mate.
bool can_force_mate(const Position& position, Color side) {
    return (position.pieces(side) & ~position.pieces(chess::PieceType::King) &
            ~position.pieces(chess::PieceType::Knight)) != 0;
}

}  // namespace

Value bare_king_value(const Position& position) {
    if (position.pieces(chess::PieceType::Pawn) != 0) return 0;
    const bool white_bare = !chess::more_than_one(position.pieces(Color::White));
    const bool black_bare = !chess::more_than_one(position.pieces(Color::Black));
    if (white_bare == black_bare) return 0;
    const Color bare = white_bare ? Color::White : Color::Black;
    if (!can_force_mate(position, ~bare)) return 0;
    const int apart = steps(position.king(Color::White), position.king(Color::Black));
    const Value taken = kPerSquare * (64 - room(position, bare)) + kPerStep * (8 - apart);
    return position.side_to_move() == bare ? -taken : taken;
}

}  // namespace solis::planner
