// Tests of planner/deep/threats.h.
#include "solis/planner/deep/threats.h"

#include <gtest/gtest.h>

#include "solis/chess/fen.h"

namespace solis::planner {
namespace {

using chess::bit;
using chess::PieceType;
using chess::Square;

TEST(Threats, AreTheOpponentsByTheRankOfWhatAttacks) {
    const auto position = chess::parse_fen("3qk3/8/2b5/4p3/8/8/8/r3K2N w - - 0 1");
    ASSERT_TRUE(position);
    const Threats threats(*position);
    EXPECT_EQ(threats.by_pawn, bit(Square::D4) | bit(Square::F4));
    EXPECT_TRUE(threats.up_to_minor & bit(Square::H1)) << "along the diagonal to the knight";
    EXPECT_TRUE(threats.up_to_minor & bit(Square::D4)) << "pawns are included";
    EXPECT_FALSE(threats.up_to_minor & bit(Square::A5));
    EXPECT_TRUE(threats.up_to_rook & bit(Square::E1));
    EXPECT_FALSE(threats.up_to_rook & bit(Square::F1)) << "the king stands before it";
    EXPECT_TRUE(threats.all & bit(Square::D1)) << "by the queen";
    EXPECT_TRUE(threats.all & bit(Square::F7)) << "by the king";
    EXPECT_FALSE(threats.all & bit(Square::H2));
}

TEST(Threats, FrightenOnlyWhatOutranksTheAttacker) {
    const auto position = chess::parse_fen("3qk3/8/2b5/4p3/8/8/8/r3K2N w - - 0 1");
    ASSERT_TRUE(position);
    const Threats threats(*position);
    EXPECT_EQ(threats.to(PieceType::Pawn), 0u);
    EXPECT_EQ(threats.to(PieceType::Knight), threats.by_pawn);
    EXPECT_EQ(threats.to(PieceType::Bishop), threats.by_pawn);
    EXPECT_EQ(threats.to(PieceType::Rook), threats.up_to_minor);
    EXPECT_EQ(threats.to(PieceType::Queen), threats.up_to_rook);
    EXPECT_EQ(threats.to(PieceType::King), 0u);
    EXPECT_EQ(Threats().all, 0u);
}

}  // namespace
}  // namespace solis::planner
