// Position: playing moves and keeping the key. Validation is in position_setup.cpp.
#include "solis/chess/position.h"

#include <algorithm>

#include "solis/chess/zobrist.h"

namespace solis::chess {
namespace {

// Stays where validation accepts it, so that every position can be written and read again.
std::uint16_t counted_on(std::uint16_t counter, int by) {
    return static_cast<std::uint16_t>(std::min(counter + by, kMaxCounter));
}

}  // namespace

void Position::put(Piece p, Square s) {
    by_type_[index(type_of(p))] |= bit(s);
    by_color_[index(color_of(p))] |= bit(s);
    board_[index(s)] = p;
    key_ ^= zobrist::piece(p, s);
}

void Position::remove(Piece p, Square s) {
    by_type_[index(type_of(p))] &= ~bit(s);
    by_color_[index(color_of(p))] &= ~bit(s);
    board_[index(s)] = Piece::None;
    key_ ^= zobrist::piece(p, s);
}

// Calls apply(piece, from, to) for each change, removals before arrivals on the same square.
template <class Apply>
void Position::visit_changes(Move move, Apply&& apply) const {
    const Square from = move.from(), to = move.to();
    const Piece mover = piece_on(from);
    switch (move.kind()) {
        case MoveKind::Normal:
            if (const Piece captured = piece_on(to); captured != Piece::None) {
                apply(captured, to, Square::None);
            }
            apply(mover, from, to);
            break;
        case MoveKind::Promotion:
            if (const Piece captured = piece_on(to); captured != Piece::None) {
                apply(captured, to, Square::None);
            }
            apply(mover, from, Square::None);
            apply(make_piece(side_to_move_, move.promotion_piece()), Square::None, to);
            break;
        case MoveKind::EnPassant: {
            const Square victim = offset(to, -forward(side_to_move_));
            apply(piece_on(victim), victim, Square::None);
            apply(mover, from, to);
            break;
        }
        case MoveKind::Castling: {
            const CastlingSide side = to > from ? CastlingSide::King : CastlingSide::Queen;
            apply(mover, from, castled_king_square(side_to_move_, side));
            apply(piece_on(to), to, castled_rook_square(side_to_move_, side));
            break;
        }
    }
}

PieceChanges Position::changes(Move move) const {
    PieceChanges changes;
    visit_changes(move, [&](Piece piece, Square from, Square to) {
        changes.add({piece, from, to});
    });
    return changes;
}

Position Position::after_pass() const {
    Position next = *this;
    next.halfmove_clock_ = counted_on(halfmove_clock_, 1);
    next.fullmove_number_ = counted_on(fullmove_number_, index(side_to_move_));
    next.side_to_move_ = ~side_to_move_;
    next.key_ ^= zobrist::kWhiteToMove;
    if (en_passant_ != Square::None) {
        next.key_ ^= zobrist::en_passant(file_of(en_passant_));
        next.en_passant_ = Square::None;
    }
    return next;
}

Position Position::after(Move move) const {
    Position next = *this;
    const Square from = move.from(), to = move.to();
    if (move.kind() == MoveKind::Castling) {
        // In Chess960 king and rook may swap squares: lift both before setting either down.
        visit_changes(move, [&](Piece p, Square origin, Square) { next.remove(p, origin); });
        visit_changes(move, [&](Piece p, Square, Square target) { next.put(p, target); });
    } else {
        visit_changes(move, [&](Piece p, Square origin, Square target) {
            if (origin != Square::None) next.remove(p, origin);
            if (target != Square::None) next.put(p, target);
        });
    }

    const bool moves_pawn = type_of(piece_on(from)) == PieceType::Pawn;
    const bool moves_king = type_of(piece_on(from)) == PieceType::King;
    const bool resets_clock = moves_pawn || is_capture(move);
    next.halfmove_clock_ = resets_clock ? std::uint16_t{0} : counted_on(halfmove_clock_, 1);
    next.fullmove_number_ = counted_on(fullmove_number_, index(side_to_move_));
    next.side_to_move_ = ~side_to_move_;
    next.key_ ^= zobrist::kWhiteToMove;

    if (castling_rooks_ != 0) {
        Bitboard touched = bit(from) | bit(to);
        if (moves_king) touched |= rank_mask(home_rank(side_to_move_));
        if (const Bitboard lost = castling_rooks_ & touched; lost != 0) {
            next.castling_rooks_ ^= lost;
            next.key_ ^= castling_key(lost);
        }
    }
    if (en_passant_ != Square::None) {
        next.key_ ^= zobrist::en_passant(file_of(en_passant_));
        next.en_passant_ = Square::None;
    }
    constexpr int kDoubleStep = 16;  // index difference of two ranks; no other pawn move has it
    if (moves_pawn && (index(from) ^ index(to)) == kDoubleStep) {
        next.set_en_passant_if_legal(offset(from, forward(side_to_move_)));
    }
    return next;
}

void Position::set_en_passant_if_legal(Square target) {
    Bitboard capturers =
        pawn_attacks(~side_to_move_, target) & pieces(side_to_move_, PieceType::Pawn);
    while (capturers != 0) {
        if (!en_passant_leaves_king_safe(*this, pop_lowest(capturers), target)) continue;
        en_passant_ = target;
        key_ ^= zobrist::en_passant(file_of(target));
        return;
    }
}

bool en_passant_leaves_king_safe(const Position& position, Square from, Square target) {
    const Color us = position.side_to_move();
    const Square victim = offset(target, -forward(us));
    const Bitboard occupied = (position.pieces() ^ bit(from) ^ bit(victim)) | bit(target);
    return !position.is_attacked(position.king(us), ~us, occupied);
}

Square Position::castling_rook(Color c, CastlingSide side) const {
    const Bitboard rooks = castling_rooks_ & rank_mask(home_rank(c));
    const Bitboard queen_side = bit(king(c)) - 1;
    const Bitboard match = rooks & (side == CastlingSide::Queen ? queen_side : ~queen_side);
    return match != 0 ? lowest(match) : Square::None;
}

std::uint64_t Position::castling_key(Bitboard rooks) const {
    std::uint64_t key = 0;
    for (const Color c : {Color::White, Color::Black}) {
        for (const CastlingSide side : {CastlingSide::King, CastlingSide::Queen}) {
            const Square rook = castling_rook(c, side);
            if (rook != Square::None && contains(rooks, rook)) key ^= zobrist::castling(c, side);
        }
    }
    return key;
}

std::uint64_t Position::recomputed_key() const {
    std::uint64_t key = castling_key(castling_rooks_);
    for (Bitboard rest = pieces(); rest != 0;) {
        const Square s = pop_lowest(rest);
        key ^= zobrist::piece(piece_on(s), s);
    }
    if (en_passant_ != Square::None) key ^= zobrist::en_passant(file_of(en_passant_));
    if (side_to_move_ == Color::White) key ^= zobrist::kWhiteToMove;
    return key;
}

Bitboard Position::attackers_to(Square s, Bitboard occupied) const {
    const Bitboard diagonal = pieces(PieceType::Bishop) | pieces(PieceType::Queen);
    const Bitboard straight = pieces(PieceType::Rook) | pieces(PieceType::Queen);
    return (pawn_attacks(Color::Black, s) & pieces(Color::White, PieceType::Pawn)) |
           (pawn_attacks(Color::White, s) & pieces(Color::Black, PieceType::Pawn)) |
           (knight_attacks(s) & pieces(PieceType::Knight)) |
           (king_attacks(s) & pieces(PieceType::King)) | (bishop_attacks(s, occupied) & diagonal) |
           (rook_attacks(s, occupied) & straight);
}

bool Position::is_attacked(Square s, Color by, Bitboard occupied) const {
    const Bitboard attackers = pieces(by) & occupied;
    const Bitboard steppers = (pawn_attacks(~by, s) & pieces(PieceType::Pawn)) |
                              (knight_attacks(s) & pieces(PieceType::Knight)) |
                              (king_attacks(s) & pieces(PieceType::King));
    if (steppers & attackers) return true;
    return ((bishop_attacks(s, occupied) & diagonal_sliders(by)) |
            (rook_attacks(s, occupied) & straight_sliders(by))) &
           attackers;
}

}  // namespace solis::chess
