// Captures on one square, one after the other, until one side has no reason to go on.
#include "solis/planner/deep/exchange_order.h"

namespace solis::planner {
namespace {

using chess::Bitboard;
using chess::Color;
using chess::PieceType;
using chess::Position;
using chess::Square;

Bitboard of_type(const Position& position, Bitboard among, PieceType type) {
    return among & position.pieces(type);
}

}  // namespace

bool loses_exchange(const Position& position, chess::Move move, int tolerance) {
    if (move.kind() != chess::MoveKind::Normal) return false;
    const Square from = move.from(), to = move.to();
    // What the side that has just captured is ahead, if the other side stopped now.
    int ahead = exchange_rank(type_of(position.piece_on(to))) + tolerance;
    if (ahead < 0) return true;
    ahead = exchange_rank(type_of(position.piece_on(from))) - ahead;
    if (ahead <= 0) return false;
    Bitboard occupied = (position.pieces() ^ bit(from)) | bit(to);
    const Bitboard diagonal =
        position.pieces(PieceType::Bishop) | position.pieces(PieceType::Queen);
    const Bitboard straight = position.pieces(PieceType::Rook) | position.pieces(PieceType::Queen);
    Bitboard attackers = position.attackers_to(to, occupied);
    Color side = position.side_to_move();
    bool mover_is_fine = true;  // if the captures ended here
    while (true) {
        side = ~side;
        attackers &= occupied;
        const Bitboard own = attackers & position.pieces(side) & ~bit(to);
        if (own == 0) break;
        mover_is_fine = !mover_is_fine;
        int type = 0;
        Bitboard found = 0;
        while (found == 0) found = of_type(position, own, static_cast<PieceType>(type++));
        const auto capturer = static_cast<PieceType>(type - 1);
        // A king may not capture what is defended.
        if (capturer == PieceType::King) {
            const bool defended = (attackers & position.pieces(~side) & ~bit(to)) != 0;
            return mover_is_fine == defended;
        }
        ahead = exchange_rank(capturer) - ahead;
        if (ahead < (mover_is_fine ? 1 : 0)) break;
        occupied ^= bit(chess::lowest(found));
        attackers |= (chess::bishop_attacks(to, occupied) & diagonal) |
                     (chess::rook_attacks(to, occupied) & straight);
    }
    return !mover_is_fine;
}

}  // namespace solis::planner
