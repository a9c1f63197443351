// Captures on one square, one after the other.
#include "solis/chess/exchange.h"

#include <algorithm>
#include <array>

namespace solis::chess {
namespace {

// The least valuable of `among`, which is not empty.
Square least_valuable(const Position& position, Bitboard among) {
    for (int type = 0; type < 6; ++type) {
        const Bitboard found = among & position.pieces(static_cast<PieceType>(type));
        if (found != 0) return lowest(found);
    }
    return Square::None;
}

// Sliders that see `to` once a piece has left `occupied`.
Bitboard sliders_behind(const Position& position, Square to, Bitboard occupied) {
    const Bitboard diagonal =
        position.diagonal_sliders(Color::White) | position.diagonal_sliders(Color::Black);
    const Bitboard straight =
        position.straight_sliders(Color::White) | position.straight_sliders(Color::Black);
    return (bishop_attacks(to, occupied) & diagonal) | (rook_attacks(to, occupied) & straight);
}

}  // namespace

int static_exchange(const Position& position, Move move) {
    if (move.kind() == MoveKind::Castling) return 0;
    const Square from = move.from(), to = move.to();
    Color side = position.side_to_move();
    Bitboard occupied = (position.pieces() & ~bit(from)) | bit(to);
    PieceType victim = type_of(position.piece_on(to));
    if (move.kind() == MoveKind::EnPassant) {
        victim = PieceType::Pawn;
        occupied &= ~bit(offset(to, -forward(side)));
    }
    // What the side that captures for the n-th time has gained by then.
    std::array<int, 32> gains;
    std::size_t last = 0;
    gains[0] = exchange_value(victim);
    int on_square = exchange_value(type_of(position.piece_on(from)));
    Bitboard attackers = position.attackers_to(to, occupied);
    while (true) {
        side = ~side;
        attackers &= occupied & ~bit(to);
        const Bitboard own = attackers & position.pieces(side);
        if (own == 0) break;
        const Square next = least_valuable(position, own);
        const PieceType type = type_of(position.piece_on(next));
        // A king may not capture what is defended.
        if (type == PieceType::King && (attackers & position.pieces(~side)) != 0) break;
        gains[last + 1] = on_square - gains[last];
        ++last;
        on_square = exchange_value(type);
        occupied &= ~bit(next);
        attackers |= sliders_behind(position, to, occupied);
    }
    // From the end: a side captures only if it does not lose by it.
    for (; last > 0; --last) gains[last - 1] = -std::max(-gains[last - 1], gains[last]);
    return gains[0];
}

}  // namespace solis::chess
