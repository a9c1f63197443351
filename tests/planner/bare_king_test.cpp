// Tests of planner/bare_king.h.
#include "planner/bare_king.h"

#include <gtest/gtest.h>

#include "chess/fen.h"

namespace solis::planner {
namespace {

Value at(const char* fen) { return bare_king_value(*chess::parse_fen(fen)); }

TEST(BareKing, CountsOnlyWhereAKingIsAloneAndThereAreNoPawns) {
    EXPECT_EQ(at("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"), 0);
    EXPECT_EQ(at("8/8/8/4k3/8/8/4P3/4K2R w - - 0 1"), 0);
    EXPECT_EQ(at("8/8/3r4/4k3/8/8/8/4K2R w - - 0 1"), 0);
    EXPECT_NE(at("8/8/8/4k3/8/8/8/4K2R w - - 0 1"), 0);
}

TEST(BareKing, DoesNotCountWhereMateCannotBeForced) {
    EXPECT_EQ(at("8/8/8/4k3/8/8/8/3NK2N w - - 0 1"), 0);
    EXPECT_NE(at("8/8/8/4k3/8/8/8/3BK2N w - - 0 1"), 0);
}

TEST(BareKing, LikesASmallerBoxAndTheKingsTogether) {
    // The rook cuts off one rank, or three.
    EXPECT_GT(at("4k3/R7/8/8/8/8/8/K7 w - - 0 1"), at("4k3/8/8/R7/8/8/8/K7 w - - 0 1"));
    EXPECT_GT(at("4k3/R7/4K3/8/8/8/8/8 w - - 0 1"), at("4k3/R7/8/8/8/8/8/K7 w - - 0 1"));
}

TEST(BareKing, IsTheSameForBothColoursWithTheSignOfTheMover) {
    const chess::Position position = *chess::parse_fen("4k3/R7/8/8/8/8/8/K7 w - - 0 1");
    EXPECT_EQ(bare_king_value(position), bare_king_value(position.color_flipped()));
    EXPECT_EQ(bare_king_value(position), -at("4k3/R7/8/8/8/8/8/K7 b - - 0 1"));
}

}  // namespace
}  // namespace solis::planner
