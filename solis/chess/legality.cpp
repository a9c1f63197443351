// Legality of single moves from attack sets, pins and checks.
#include "solis/chess/legality.h"

namespace solis::chess {
namespace {

// Own pawns that reach `to` by a push or a plain capture, king safety aside.
Bitboard pawn_origins(const Position& position, Square to) {
    const Color us = position.side_to_move();
    const Bitboard pawns = position.pieces(us, PieceType::Pawn);
    if (contains(position.pieces(~us), to)) return pawn_attacks(~us, to) & pawns;
    const int rank = relative_rank(us, to);
    if (rank < 2) return 0;
    const Square one_back = offset(to, -forward(us));
    if (contains(pawns, one_back)) return bit(one_back);
    const bool double_step = rank == 3 && position.piece_on(one_back) == Piece::None;
    return double_step ? bit(offset(one_back, -forward(us))) & pawns : 0;
}

// Knights, bishops, rooks and queens of `among` that reach `to`, king safety aside. Empty-board
// attacks and the few squares between are in the cache; the tables for any occupancy are not.
Bitboard piece_origins(const Position& position, PieceType type, Square to, Bitboard among) {
    const Bitboard occupied = position.pieces();
    Bitboard pieces =
        piece_attacks(type, to, 0) & position.pieces(position.side_to_move(), type) & among;
    for (Bitboard b = pieces; b != 0;) {
        const Square from = pop_lowest(b);
        if (between(from, to) & occupied) pieces ^= bit(from);
    }
    return pieces;
}

Bitboard en_passant_origins(const Position& position, Bitboard among) {
    const Square target = position.en_passant();
    const Color us = position.side_to_move();
    Bitboard origins = 0;
    Bitboard pawns = pawn_attacks(~us, target) & position.pieces(us, PieceType::Pawn) & among;
    while (pawns != 0) {
        const Square from = pop_lowest(pawns);
        if (en_passant_leaves_king_safe(position, from, target)) origins |= bit(from);
    }
    return origins;
}

Bitboard king_origin(const Position& position, Square to) {
    const Color us = position.side_to_move();
    const Bitboard king = bit(position.king(us)) & king_attacks(to);
    // The king itself does not hide the squares behind it.
    const bool safe = king != 0 && !position.is_attacked(to, ~us, position.pieces() ^ king);
    return safe ? king : 0;
}

// Those of `pieces`, none of them the king, that may go to `to` without exposing it.
Bitboard without_exposing_king(const Position& position, Bitboard pieces, Square to) {
    if (pieces == 0) return 0;
    const Color us = position.side_to_move();
    const Square king = position.king(us);
    const KingSafety safety = king_safety(position, us);
    if (more_than_one(safety.checkers)) return 0;
    if (!contains(answers_to_check(king, safety.checkers), to)) return 0;
    for (Bitboard tied = pieces & safety.pinned; tied != 0;) {
        const Square from = pop_lowest(tied);
        if (!contains(line(king, from), to)) pieces ^= bit(from);
    }
    return pieces;
}

}  // namespace

Bitboard legal_origins(const Position& position, PieceType type, Square to, Bitboard among) {
    const Color us = position.side_to_move();
    if (contains(position.pieces(us), to)) return 0;
    if (type == PieceType::King) return king_origin(position, to) & among;
    if (type == PieceType::Pawn) {
        // Two pawns leave one rank at once, which no pin shows: en passant has its own test.
        if (to == position.en_passant()) return en_passant_origins(position, among);
        return without_exposing_king(position, pawn_origins(position, to) & among, to);
    }
    const Bitboard pieces = piece_origins(position, type, to, among);
    return without_exposing_king(position, pieces, to);
}

Move legal_castling(const Position& position, CastlingSide side) {
    const Color us = position.side_to_move();
    const Square rook = position.castling_rook(us, side);
    const bool legal = rook != Square::None && !position.in_check() &&
                       castling_path_is_safe(position, us, side, rook);
    return legal ? Move::castling(position.king(us), rook) : Move();
}

Move compose_move(const Position& position, Square from, Square to, PieceType promotion) {
    const bool is_pawn = type_of(position.piece_on(from)) == PieceType::Pawn;
    const bool promotes = is_pawn && relative_rank(position.side_to_move(), to) == 7;
    const bool allowed = promotion >= PieceType::Knight && promotion <= PieceType::Queen;
    if (promotes != allowed || (!promotes && promotion != PieceType::None)) return Move();
    if (promotes) return Move::promotion(from, to, promotion);
    if (is_pawn && to == position.en_passant()) return Move::en_passant(from, to);
    return Move(from, to);
}

bool is_legal(const Position& position, Move move) {
    const Square from = move.from(), to = move.to();
    if (!contains(position.pieces(position.side_to_move()), from)) return false;
    if (move.kind() == MoveKind::Castling) {
        const CastlingSide side = to > from ? CastlingSide::King : CastlingSide::Queen;
        return legal_castling(position, side) == move;
    }
    const PieceType type = type_of(position.piece_on(from));
    return compose_move(position, from, to, move.promotion_piece()) == move &&
           legal_origins(position, type, to, bit(from)) != 0;
}

}  // namespace solis::chess
