// Tests of planner/deep/reductions.h and planner/deep/tuning.h.
#include "solis/planner/deep/reductions.h"

#include <gtest/gtest.h>

namespace solis::planner {
namespace {

ReductionCase ordinary(int depth, int rank) {
    return {.depth = depth,
            .rank = rank,
            .tendency = 0,
            .principal = false,
            .was_principal = false,
            .expected_cut = false,
            .improving = true,
            .check = false,
            .quiet = true,
            .cutoffs = 0};
}

int plies(const ReductionCase& child) { return reduction(child, DeepTuning{}); }

TEST(Reductions, GrowWithDepthAndRank) {
    for (int depth = 1; depth < 60; ++depth) {
        EXPECT_EQ(plies(ordinary(depth, 0)), 0);
        for (int rank = 1; rank < 100; ++rank) {
            const int here = plies(ordinary(depth, rank));
            EXPECT_GE(here, plies(ordinary(depth, rank - 1)));
            EXPECT_GE(plies(ordinary(depth + 1, rank)), here);
        }
    }
    EXPECT_GE(plies(ordinary(12, 20)), 3);
}

TEST(Reductions, FollowWhatSpeaksForAndAgainstAMove) {
    const ReductionCase middle = ordinary(10, 8);
    ReductionCase better = middle;
    better.principal = true;
    EXPECT_LT(plies(better), plies(middle));
    better = middle;
    better.check = true;
    EXPECT_LT(plies(better), plies(middle));
    better = middle;
    better.tendency = 20'000;
    EXPECT_LT(plies(better), plies(middle));
    ReductionCase worse = middle;
    worse.expected_cut = true;
    EXPECT_GT(plies(worse), plies(middle));
    worse.improving = false;
    worse.tendency = -20'000;
    EXPECT_GT(plies(worse), plies(middle) + 1);
}

TEST(Reductions, CanBeTurnedOff) {
    DeepTuning off;
    off.reductions = false;
    EXPECT_EQ(reduction(ordinary(10, 30), off), 0);
}

TEST(DeepTuning, FeaturesAndNumbersAreSetByNameAndDivisorsStayPositive) {
    DeepTuning tuning;
    EXPECT_TRUE(set_feature(tuning, "singular", 0));
    EXPECT_FALSE(tuning.singular);
    EXPECT_TRUE(set_feature(tuning, "reduction-base", 90));
    EXPECT_EQ(tuning.reduction_base, 90);
    for (const char* name : {"null-move-ahead", "history-reduction", "singular-depth"}) {
        EXPECT_TRUE(set_feature(tuning, name, 0)) << name;
    }
    EXPECT_EQ(tuning.null_move_ahead, 1);
    EXPECT_EQ(tuning.history_reduction, 1);
    EXPECT_EQ(tuning.singular_depth, 4);
    EXPECT_FALSE(set_feature(tuning, "no-such-feature", 1));
}

}  // namespace
}  // namespace solis::planner
