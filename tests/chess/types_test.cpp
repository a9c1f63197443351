// The small value types.
#include "solis/chess/types.h"

#include <gtest/gtest.h>

#include "solis/chess/bitboard.h"

namespace solis::chess {
namespace {

TEST(Move, PackingKeepsEveryPartOfEveryMove) {
    for (int f = 0; f < 64; ++f) {
        for (int t = 0; t < 64; ++t) {
            const Square from = square_at(f), to = square_at(t);
            for (const Move move :
                 {Move(from, to), Move::en_passant(from, to), Move::castling(from, to)}) {
                EXPECT_EQ(move.from(), from);
                EXPECT_EQ(move.to(), to);
                EXPECT_EQ(move.promotion_piece(), PieceType::None);
                EXPECT_EQ(Move::from_bits(move.bits()), move);
            }
            EXPECT_EQ(Move(from, to).kind(), MoveKind::Normal);
            EXPECT_EQ(Move::en_passant(from, to).kind(), MoveKind::EnPassant);
            EXPECT_EQ(Move::castling(from, to).kind(), MoveKind::Castling);
            for (const PieceType piece :
                 {PieceType::Knight, PieceType::Bishop, PieceType::Rook, PieceType::Queen}) {
                const Move move = Move::promotion(from, to, piece);
                EXPECT_EQ(move.from(), from);
                EXPECT_EQ(move.to(), to);
                EXPECT_EQ(move.kind(), MoveKind::Promotion);
                EXPECT_EQ(move.promotion_piece(), piece);
            }
        }
    }
}

TEST(Move, OnlyTheDefaultMoveIsNone) {
    EXPECT_TRUE(Move().is_none());
    EXPECT_FALSE(Move(Square::A1, Square::B1).is_none());
    EXPECT_FALSE(Move::castling(Square::A1, Square::A1).is_none());
}

TEST(Piece, CharactersMapBothWays) {
    for (const char c : std::string("PNBRQKpnbrqk")) {
        const Piece piece = piece_from_char(c);
        ASSERT_NE(piece, Piece::None) << c;
        EXPECT_EQ(to_char(piece), c);
        EXPECT_EQ(make_piece(color_of(piece), type_of(piece)), piece);
    }
    for (const char c : std::string(".x1/ \0\xff", 7)) EXPECT_EQ(piece_from_char(c), Piece::None);
}

TEST(Square, NamesMapBothWays) {
    for (int i = 0; i < 64; ++i) {
        const Square s = square_at(i);
        const std::string name = to_string(s);
        EXPECT_EQ(square_from_chars(name[0], name[1]), s);
        EXPECT_EQ(make_square(file_of(s), rank_of(s)), s);
        EXPECT_EQ(relative_rank(Color::White, s), relative_rank(Color::Black, flip_rank(s)));
        EXPECT_EQ(flip_file(flip_file(s)), s);
    }
    for (const char* bad : {"i1", "a0", "a9", "A1", "`1"}) {
        EXPECT_EQ(square_from_chars(bad[0], bad[1]), Square::None) << bad;
    }
    EXPECT_EQ(to_string(Square::None), "-");
}

TEST(Bitboard, A1AndH8AreDarkAndShiftsLoseTheEdge) {
    EXPECT_TRUE(contains(kDarkSquares, Square::A1));
    EXPECT_TRUE(contains(kDarkSquares, Square::H8));
    EXPECT_FALSE(contains(kDarkSquares, Square::H1));
    EXPECT_EQ(count(kDarkSquares), 32);
    EXPECT_EQ(shift<1>(bit(Square::H4)), 0u);
    EXPECT_EQ(shift<-1>(bit(Square::A4)), 0u);
    EXPECT_EQ(shift<9>(bit(Square::H4)), 0u);
    EXPECT_EQ(shift<7>(bit(Square::B4)), bit(Square::A5));
    EXPECT_EQ(shift<-9>(bit(Square::B4)), bit(Square::A3));
    EXPECT_EQ(shift<8>(bit(Square::A8)), 0u);
}

}  // namespace
}  // namespace solis::chess
