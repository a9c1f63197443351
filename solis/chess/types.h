// The small value types of chess: colours, pieces, squares, moves.
#pragma once
#include <cstdint>
#include <string>

namespace solis::chess {

enum class Color : std::uint8_t { White, Black };

[[nodiscard]] constexpr Color operator~(Color c) {
    return c == Color::White ? Color::Black : Color::White;
}
[[nodiscard]] constexpr int index(Color c) { return static_cast<int>(c); }

enum class PieceType : std::uint8_t { Pawn, Knight, Bishop, Rook, Queen, King, None };

[[nodiscard]] constexpr int index(PieceType t) { return static_cast<int>(t); }

// Colour in bit 3, type in bits 0-2.
enum class Piece : std::uint8_t {
    WhitePawn,
    WhiteKnight,
    WhiteBishop,
    WhiteRook,
    WhiteQueen,
    WhiteKing,
    None,
    BlackPawn = 8,
    BlackKnight,
    BlackBishop,
    BlackRook,
    BlackQueen,
    BlackKing
};

[[nodiscard]] constexpr int index(Piece p) { return static_cast<int>(p); }
[[nodiscard]] constexpr Piece make_piece(Color c, PieceType t) {
    return static_cast<Piece>(index(c) << 3 | index(t));
}
[[nodiscard]] constexpr PieceType type_of(Piece p) { return static_cast<PieceType>(index(p) & 7); }
// Meaningless for Piece::None.
[[nodiscard]] constexpr Color color_of(Piece p) { return static_cast<Color>(index(p) >> 3); }

// a1 = 0, b1 = 1, ... h8 = 63.
// clang-format off
enum class Square : std::uint8_t {
    A1, B1, C1, D1, E1, F1, G1, H1,
    A2, B2, C2, D2, E2, F2, G2, H2,
    A3, B3, C3, D3, E3, F3, G3, H3,
    A4, B4, C4, D4, E4, F4, G4, H4,
    A5, B5, C5, D5, E5, F5, G5, H5,
    A6, B6, C6, D6, E6, F6, G6, H6,
    A7, B7, C7, D7, E7, F7, G7, H7,
    A8, B8, C8, D8, E8, F8, G8, H8,
    None
};
// clang-format on

[[nodiscard]] constexpr int index(Square s) { return static_cast<int>(s); }
[[nodiscard]] constexpr Square square_at(int index) { return static_cast<Square>(index); }
[[nodiscard]] constexpr Square make_square(int file, int rank) {
    return static_cast<Square>(rank << 3 | file);
}
// 0 = a-file, 7 = h-file.
[[nodiscard]] constexpr int file_of(Square s) { return index(s) & 7; }
// 0 = first rank, 7 = eighth rank, whoever looks.
[[nodiscard]] constexpr int rank_of(Square s) { return index(s) >> 3; }
[[nodiscard]] constexpr Square flip_rank(Square s) { return static_cast<Square>(index(s) ^ 56); }
[[nodiscard]] constexpr Square flip_file(Square s) { return static_cast<Square>(index(s) ^ 7); }
// The rank as `c` counts it: 0 is where c's pieces start.
[[nodiscard]] constexpr int relative_rank(Color c, Square s) {
    return c == Color::White ? rank_of(s) : 7 - rank_of(s);
}
[[nodiscard]] constexpr int home_rank(Color c) { return c == Color::White ? 0 : 7; }
// Square offset of one pawn step forward.
[[nodiscard]] constexpr int forward(Color c) { return c == Color::White ? 8 : -8; }
[[nodiscard]] constexpr Square offset(Square s, int by) {
    return static_cast<Square>(index(s) + by);
}

enum class CastlingSide : std::uint8_t { King, Queen };

// Where king and rook stand after castling, in every variant.
[[nodiscard]] constexpr Square castled_king_square(Color c, CastlingSide side) {
    return make_square(side == CastlingSide::King ? 6 : 2, home_rank(c));
}
[[nodiscard]] constexpr Square castled_rook_square(Color c, CastlingSide side) {
    return make_square(side == CastlingSide::King ? 5 : 3, home_rank(c));
}

enum class MoveKind : std::uint8_t { Normal, Promotion, EnPassant, Castling };

// 16 bits: to (0-5), from (6-11), promotion piece minus knight (12-13), kind (14-15).
// Castling is written as the king taking its own rook, which is unambiguous in Chess960.
class Move {
  public:
    constexpr Move() = default;
    constexpr Move(Square from, Square to)
        : bits_(static_cast<std::uint16_t>(index(from) << 6 | index(to))) {}

    [[nodiscard]] static constexpr Move promotion(Square from, Square to, PieceType piece) {
        return Move(from, to, MoveKind::Promotion, index(piece) - index(PieceType::Knight));
    }
    [[nodiscard]] static constexpr Move en_passant(Square from, Square to) {
        return Move(from, to, MoveKind::EnPassant, 0);
    }
    [[nodiscard]] static constexpr Move castling(Square king, Square rook) {
        return Move(king, rook, MoveKind::Castling, 0);
    }
    [[nodiscard]] static constexpr Move from_bits(std::uint16_t bits) {
        Move move;
        move.bits_ = bits;
        return move;
    }

    [[nodiscard]] constexpr Square from() const { return square_at(bits_ >> 6 & 63); }
    [[nodiscard]] constexpr Square to() const { return square_at(bits_ & 63); }
    [[nodiscard]] constexpr MoveKind kind() const { return static_cast<MoveKind>(bits_ >> 14); }
    // PieceType::None unless the move promotes.
    [[nodiscard]] constexpr PieceType promotion_piece() const {
        if (kind() != MoveKind::Promotion) return PieceType::None;
        return static_cast<PieceType>((bits_ >> 12 & 3) + index(PieceType::Knight));
    }
    // The default-constructed move, which is never legal.
    [[nodiscard]] constexpr bool is_none() const { return bits_ == 0; }
    [[nodiscard]] constexpr std::uint16_t bits() const { return bits_; }

    friend constexpr bool operator==(Move, Move) = default;

  private:
    constexpr Move(Square from, Square to, MoveKind kind, int piece)
        : bits_(static_cast<std::uint16_t>(static_cast<int>(kind) << 14 | piece << 12 |
                                           index(from) << 6 | index(to))) {}

    std::uint16_t bits_ = 0;
};

// 'P' ... 'k', '.' for none.
[[nodiscard]] constexpr char to_char(Piece p) { return "PNBRQK..pnbrqk.."[index(p)]; }
// 'P' ... 'K' for the type, whatever the colour.
[[nodiscard]] constexpr char to_char(PieceType t) { return "PNBRQK."[index(t)]; }
// Piece::None for a character that is no piece.
[[nodiscard]] constexpr Piece piece_from_char(char c) {
    for (const Color color : {Color::White, Color::Black}) {
        for (int t = 0; t < 6; ++t) {
            const Piece p = make_piece(color, static_cast<PieceType>(t));
            if (to_char(p) == c) return p;
        }
    }
    return Piece::None;
}
[[nodiscard]] constexpr char file_char(int file) { return static_cast<char>('a' + file); }
[[nodiscard]] constexpr char rank_char(int rank) { return static_cast<char>('1' + rank); }
[[nodiscard]] inline std::string to_string(Square s) {
    if (s == Square::None) return "-";
    return {file_char(file_of(s)), rank_char(rank_of(s))};
}
// Square::None unless `file` is a..h and `rank` 1..8.
[[nodiscard]] constexpr Square square_from_chars(char file, char rank) {
    if (file < 'a' || file > 'h' || rank < '1' || rank > '8') return Square::None;
    return make_square(file - 'a', rank - '1');
}
[[nodiscard]] constexpr const char* name_of(Color c) {
    return c == Color::White ? "White" : "Black";
}

}  // namespace solis::chess
