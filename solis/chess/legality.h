// Whether single moves are legal, answered without a list of all moves.
#pragma once
#include "solis/chess/position.h"

namespace solis::chess {

// What ties the pieces of one side to its king.
struct KingSafety {
    Bitboard checkers = 0;  // enemy pieces giving check, never the king
    Bitboard pinned = 0;    // own pieces that may move only on their line with the king
};

// For side `us`, which must be the side to move.
[[nodiscard]] inline KingSafety king_safety(const Position& position, Color us) {
    const Color them = ~us;
    const Square king = position.king(us);
    const Bitboard own = position.pieces(us), enemy = position.pieces(them);
    KingSafety safety;
    safety.checkers = (pawn_attacks(us, king) & position.pieces(them, PieceType::Pawn)) |
                      (knight_attacks(king) & position.pieces(them, PieceType::Knight));
    // Sliders that would see the king if only their own side stood in the way.
    Bitboard snipers = (bishop_attacks(king, enemy) & position.diagonal_sliders(them)) |
                       (rook_attacks(king, enemy) & position.straight_sliders(them));
    while (snipers != 0) {
        const Square sniper = pop_lowest(snipers);
        const Bitboard blockers = between(king, sniper) & own;
        if (blockers == 0) {
            safety.checkers |= bit(sniper);
        } else if (!more_than_one(blockers)) {
            safety.pinned |= blockers;
        }
    }
    return safety;
}

// Squares where a piece other than the king answers the check: all of them without one. Not for
// double checks, which only the king can answer.
[[nodiscard]] inline Bitboard answers_to_check(Square king, Bitboard checkers) {
    return checkers == 0 ? ~Bitboard{0} : between(king, lowest(checkers)) | checkers;
}

// Whether `us`, the side to move, may castle with `rook`: it has the right and is not in check.
[[nodiscard]] inline bool castling_path_is_safe(const Position& position, Color us,
                                                CastlingSide side, Square rook) {
    const Square king = position.king(us);
    const Square king_to = castled_king_square(us, side);
    const Square rook_to = castled_rook_square(us, side);
    const Bitboard others = position.pieces() ^ bit(king) ^ bit(rook);
    const Bitboard king_path = between(king, king_to) | bit(king_to);
    const Bitboard rook_path = between(rook, rook_to) | bit(rook_to);
    if ((king_path | rook_path) & others) return false;
    // With king and rook lifted: in Chess960 the rook may have shielded the king.
    for (Bitboard b = king_path; b != 0;) {
        if (position.is_attacked(pop_lowest(b), ~us, others)) return false;
    }
    return true;
}

// The squares of `among` from which a `type` of the side to move may legally move to `to`.
// Castling is left out; a pawn counts whatever it would promote to.
[[nodiscard]] Bitboard legal_origins(const Position& position, PieceType type, Square to,
                                     Bitboard among = ~Bitboard{0});
// Castling to that side, or no move where it is illegal.
[[nodiscard]] Move legal_castling(const Position& position, CastlingSide side);
// The move of the piece on `from` with its kind filled in; no move where `promotion` is missing
// or superfluous. Looks neither at legality nor at castling.
[[nodiscard]] Move compose_move(const Position& position, Square from, Square to,
                                PieceType promotion);
// True for any 16 bits if they are a legal move here.
[[nodiscard]] bool is_legal(const Position& position, Move move);

}  // namespace solis::chess
