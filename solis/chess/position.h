// A chess position: board, side to move, castling rights, en passant, counters, key.
#pragma once
#include <array>
#include <cstdint>
#include <string>

#include "solis/base/result.h"
#include "solis/chess/attacks.h"
#include "solis/chess/bitboard.h"
#include "solis/chess/types.h"
#include "solis/chess/zobrist.h"

namespace solis::chess {

// Largest halfmove clock and fullmove number; counting stops there.
inline constexpr int kMaxCounter = 32767;

// Everything a position consists of, unchecked. What parsers fill in and Position::from validates.
struct Setup {
    std::array<Piece, 64> board = [] {
        std::array<Piece, 64> empty{};
        empty.fill(Piece::None);
        return empty;
    }();
    Color side_to_move = Color::White;
    Bitboard castling_rooks = 0;  // the rooks that may still castle
    Square en_passant = Square::None;
    int halfmove_clock = 0;
    int fullmove_number = 1;
};

// What a move does to one piece. `from` is None when the piece appears, `to` when it vanishes.
struct PieceChange {
    Piece piece = Piece::None;
    Square from = Square::None;
    Square to = Square::None;

    friend bool operator==(const PieceChange&, const PieceChange&) = default;
};

// At most three: a capturing promotion removes two pieces and adds one.
struct PieceChanges {
    std::array<PieceChange, 3> items;
    int size = 0;

    void add(PieceChange change) { items[size++] = change; }
    [[nodiscard]] const PieceChange* begin() const { return items.data(); }
    [[nodiscard]] const PieceChange* end() const { return items.data() + size; }
};

// Always a valid position. A cheap value of 160 bytes: a child is a new Position (`after`), which
// measures faster than make/unmake where a planner looks at all children, and needs no undo.
class Position {
  public:
    [[nodiscard]] static const Position& start();
    // The error names the FEN field that is at fault.
    [[nodiscard]] static Result<Position> from(const Setup& setup);

    [[nodiscard]] Color side_to_move() const { return side_to_move_; }
    [[nodiscard]] Piece piece_on(Square s) const { return board_[index(s)]; }
    // All squares, a1 first.
    [[nodiscard]] const std::array<Piece, 64>& board() const { return board_; }
    [[nodiscard]] Bitboard pieces() const { return by_color_[0] | by_color_[1]; }
    [[nodiscard]] Bitboard pieces(Color c) const { return by_color_[index(c)]; }
    [[nodiscard]] Bitboard pieces(PieceType t) const { return by_type_[index(t)]; }
    [[nodiscard]] Bitboard pieces(Color c, PieceType t) const { return pieces(c) & pieces(t); }
    [[nodiscard]] Square king(Color c) const { return lowest(pieces(c, PieceType::King)); }
    // Diagonal and straight sliders of one side, queens in both.
    [[nodiscard]] Bitboard diagonal_sliders(Color c) const {
        return pieces(c) & (pieces(PieceType::Bishop) | pieces(PieceType::Queen));
    }
    [[nodiscard]] Bitboard straight_sliders(Color c) const {
        return pieces(c) & (pieces(PieceType::Rook) | pieces(PieceType::Queen));
    }

    // The rooks of both sides that may still castle.
    [[nodiscard]] Bitboard castling_rooks() const { return castling_rooks_; }
    // Square of the rook for this right, None without the right.
    [[nodiscard]] Square castling_rook(Color c, CastlingSide side) const;
    // The square behind a pawn that just advanced two, only when a capture there is legal.
    [[nodiscard]] Square en_passant() const { return en_passant_; }
    // Plies since the last capture or pawn move.
    [[nodiscard]] int halfmove_clock() const { return halfmove_clock_; }
    [[nodiscard]] int fullmove_number() const { return fullmove_number_; }
    // Zobrist key over board, side, castling and en passant; equal keys mean "same position" for
    // the repetition rule. Polyglot's key, except that Polyglot also hashes an en-passant file
    // where the capturing pawn is pinned.
    [[nodiscard]] std::uint64_t key() const { return key_; }
    // What key() will be after a legal move, known before the move is made, so that memory can be
    // fetched early. Not exact where the move castles, promotes, captures en passant, loses a right
    // to castle or lets the opponent capture en passant.
    [[nodiscard]] std::uint64_t likely_key_after(Move move) const {
        const Square from = move.from(), to = move.to();
        const Piece mover = piece_on(from), captured = piece_on(to);
        std::uint64_t key =
            key_ ^ zobrist::kWhiteToMove ^ zobrist::piece(mover, from) ^ zobrist::piece(mover, to);
        if (captured != Piece::None) key ^= zobrist::piece(captured, to);
        if (en_passant_ != Square::None) key ^= zobrist::en_passant(file_of(en_passant_));
        return key;
    }
    // key() computed from scratch, to check the incremental one.
    [[nodiscard]] std::uint64_t recomputed_key() const;

    // Pieces of both sides that attack `s` when `occupied` is what blocks.
    [[nodiscard]] Bitboard attackers_to(Square s, Bitboard occupied) const;
    // Whether side `by` attacks `s` when `occupied` is what blocks; only its pieces in `occupied`
    // count, so that captured ones can be left out.
    [[nodiscard]] bool is_attacked(Square s, Color by, Bitboard occupied) const;
    // Enemy pieces giving check to the side to move.
    [[nodiscard]] Bitboard checkers() const {
        return attackers_to(king(side_to_move_), pieces()) & pieces(~side_to_move_);
    }
    [[nodiscard]] bool in_check() const {
        return is_attacked(king(side_to_move_), ~side_to_move_, pieces());
    }

    // The position after a legal move.
    [[nodiscard]] Position after(Move move) const;
    // The position where the other side is to move instead, for a search that asks what a move is
    // worth. Not a move of chess; the side to move must not be in check.
    [[nodiscard]] Position after_pass() const;
    // What a legal move does to the pieces, for features that are updated move by move.
    [[nodiscard]] PieceChanges changes(Move move) const;
    // Castling as king takes rook, so never a capture.
    [[nodiscard]] bool is_capture(Move move) const {
        return move.kind() == MoveKind::EnPassant ||
               (piece_on(move.to()) != Piece::None && move.kind() != MoveKind::Castling);
    }
    // True if king or castling rooks do not stand on their squares of standard chess.
    [[nodiscard]] bool needs_chess960_castling() const;
    // The mirrored position: colours swapped, board turned upside down.
    [[nodiscard]] Position color_flipped() const;
    // What Position::from would take to build this position again.
    [[nodiscard]] Setup setup() const;

    // Same board, side, rights, en passant and counters.
    friend bool operator==(const Position&, const Position&) = default;

  private:
    Position() = default;

    void put(Piece p, Square s);
    void remove(Piece p, Square s);
    template <class Apply>
    void visit_changes(Move move, Apply&& apply) const;
    void set_en_passant_if_legal(Square target);
    // Key of the castling rights that these rooks stand for.
    [[nodiscard]] std::uint64_t castling_key(Bitboard rooks) const;

    std::array<Bitboard, 6> by_type_;
    std::array<Bitboard, 2> by_color_;
    Bitboard castling_rooks_;
    std::uint64_t key_;
    std::array<Piece, 64> board_;
    std::uint16_t halfmove_clock_;
    std::uint16_t fullmove_number_;
    Square en_passant_;
    Color side_to_move_;
};

// Whether the pawn on `from` may capture en passant on `target` without exposing its king.
[[nodiscard]] bool en_passant_leaves_king_safe(const Position& position, Square from,
                                               Square target);

}  // namespace solis::chess
