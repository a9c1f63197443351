// Random endings: their labels are exact and fit together.
#include "solis/data/ending_source.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "solis/chess/fen.h"
#include "solis/chess/movegen.h"

namespace solis::data {
namespace {

TEST(EndingSource, LabelsOfAPositionFollowFromThoseOfItsMoves) {
    EndingOptions options;
    options.pieces = {"Q", "R"};
    options.children = 256;  // all moves
    const auto source = make_ending_source(options);
    ASSERT_TRUE(source) << source.error().message;
    LabelledGame game;
    int won = 0, lost = 0, drawn = 0;
    for (int i = 0; i < 500; ++i) {
        ASSERT_TRUE(*(*source)->next(game));
        ASSERT_EQ(game.branches.size(), chess::legal_moves(game.start).size());
        // Best for the mover, one ply later: a mate comes a move nearer where it is the mover's.
        int best = -Score::kMate;
        for (const Branch& branch : game.branches) {
            const Score after = branch.score.negated();
            const int value =
                after.value() > Score::kMaxCentipawns ? after.value() - 1 : after.value();
            best = std::max(best, value);
        }
        EXPECT_EQ(game.line[0].score.value(), best) << chess::to_fen(game.start);
        (best > 0 ? won : best < 0 ? lost : drawn) += 1;
    }
    EXPECT_GT(won, 100);
    EXPECT_GT(lost, 100);
    EXPECT_GT(drawn, 5) << "a queen or rook that can be taken";
}

TEST(EndingSource, SameSeedSamePositions) {
    EndingOptions options;
    options.pieces = {"R"};
    const auto a = make_ending_source(options), b = make_ending_source(options);
    LabelledGame first, second;
    for (int i = 0; i < 20; ++i) {
        ASSERT_TRUE(*(*a)->next(first));
        ASSERT_TRUE(*(*b)->next(second));
        EXPECT_EQ(first, second);
    }
    options.pieces = {"QQQ"};
    EXPECT_FALSE(make_ending_source(options));
}

}  // namespace
}  // namespace solis::data
