// UCI move notation.
#include "solis/chess/uci_move.h"

#include <gtest/gtest.h>

#include "solis/chess/fen.h"

namespace solis::chess {
namespace {

TEST(UciMove, CastlingIsAKingMoveInStandardChessAndTakesTheRookOtherwise) {
    const auto standard = parse_fen("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1");
    ASSERT_TRUE(standard);
    const Move castling = Move::castling(Square::E1, Square::H1);
    EXPECT_EQ(to_uci(*standard, castling), "e1g1");
    EXPECT_EQ(to_uci(*standard, castling, CastlingNotation::KingTakesRook), "e1h1");
    EXPECT_EQ(*parse_uci(*standard, "e1g1"), castling);
    EXPECT_EQ(*parse_uci(*standard, "e1h1"), castling);

    const auto moved_rook = parse_fen("4k3/8/8/8/8/8/8/R3K1R1 w GA - 0 1");
    ASSERT_TRUE(moved_rook);
    EXPECT_EQ(to_uci(*moved_rook, Move::castling(Square::E1, Square::G1)), "e1g1");
    EXPECT_EQ(to_uci(*moved_rook, Move::castling(Square::E1, Square::A1)), "e1a1");
}

TEST(UciMove, AKingStepIsNotCastlingToTheSameSquare) {
    // f1g1 is a step; castling is f1h1.
    const auto position = parse_fen("4k3/8/8/8/8/8/8/5K1R w H - 0 1");
    ASSERT_TRUE(position);
    EXPECT_EQ(*parse_uci(*position, "f1g1"), Move(Square::F1, Square::G1));
    EXPECT_EQ(*parse_uci(*position, "f1h1"), Move::castling(Square::F1, Square::H1));
}

TEST(UciMove, PromotionNeedsItsPiece) {
    const auto position = parse_fen("8/P3k3/8/8/8/8/8/4K3 w - - 0 1");
    ASSERT_TRUE(position);
    EXPECT_EQ(*parse_uci(*position, "a7a8n"),
              Move::promotion(Square::A7, Square::A8, PieceType::Knight));
    for (const char* bad : {"a7a8", "a7a8k", "a7a8p", "e1e2q"}) {
        EXPECT_FALSE(parse_uci(*position, bad)) << bad;
    }
}

TEST(UciMove, TheNullMoveIsWrittenButNeverRead) {
    EXPECT_EQ(to_uci(Position::start(), Move()), "0000");
    EXPECT_FALSE(parse_uci(Position::start(), "0000"));
}

TEST(UciMove, ErrorsNameMoveAndPosition) {
    const auto error_of = [](std::string_view text) {
        const auto move = parse_uci(Position::start(), text);
        return move ? std::string("accepted") : move.error().message;
    };
    EXPECT_EQ(error_of("e2e5"),
              "move 'e2e5' is not legal in 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 "
              "1'");
    EXPECT_EQ(error_of("e2"), "'e2' is not a move in UCI notation");
    EXPECT_EQ(error_of("e2i4"), "'e2i4' is not a move in UCI notation");
    EXPECT_EQ(error_of(""), "'' is not a move in UCI notation");
    EXPECT_EQ(error_of("e2e4\n"), "'e2e4?' is not a move in UCI notation");
    EXPECT_EQ(error_of(std::string(5000, 'x')),
              "'" + std::string(100, 'x') + "...' is not a move in UCI notation");
}

}  // namespace
}  // namespace solis::chess
