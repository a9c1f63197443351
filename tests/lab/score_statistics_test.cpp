// Elo and its error against values computed by hand and by simulation.
#include "solis/lab/score_statistics.h"

#include <cmath>

#include <gtest/gtest.h>

#include "solis/base/rng.h"

namespace solis::lab {
namespace {

TEST(ScoreStatistics, EloAndScoreAreInverse) {
    EXPECT_NEAR(elo_from_score(0.75), 190.85, 0.01);
    EXPECT_EQ(elo_from_score(0.5), 0);
    EXPECT_TRUE(std::isinf(elo_from_score(1)));
    for (double elo = -700; elo <= 700; elo += 35) {
        EXPECT_NEAR(elo_from_score(score_from_elo(elo)), elo, 1e-6);
    }
}

TEST(ScoreStatistics, PairsWithoutSpreadGiveNoError) {
    EXPECT_FALSE(estimate({}));
    const ScoreCount draws{.wins = 0, .draws = 10, .losses = 0, .pairs = {0, 0, 5, 0, 0}};
    EXPECT_FALSE(estimate(draws)->elo_95);
    EXPECT_EQ(estimate(draws)->elo, 0);
    const ScoreCount wins{.wins = 4, .draws = 0, .losses = 0, .pairs = {0, 0, 0, 0, 2}};
    EXPECT_TRUE(std::isinf(estimate(wins)->elo));
}

TEST(ScoreStatistics, MatchesAPentanomialComputedByHand) {
    // 10 pairs: 1 x 0, 2 x 1/2, 3 x 1, 2 x 3/2, 2 x 2 points; mean 0.55 per game.
    ScoreCount count;
    count.pairs = {1, 2, 3, 2, 2};
    count.wins = 9;
    count.draws = 4;
    count.losses = 7;
    const auto value = estimate(count);
    ASSERT_TRUE(value);
    EXPECT_DOUBLE_EQ(value->score, 0.55);
    // Pair scores per game: 0 .25 .25 .5 .5 .5 .75 .75 1 1; variance 0.0975; / 10 pairs.
    EXPECT_NEAR(value->error, std::sqrt(0.0975 / 10), 1e-12);
    const auto other = estimate(count.reversed());
    EXPECT_NEAR(other->elo, -value->elo, 1e-9);
    EXPECT_NEAR(other->los, 1 - value->los, 1e-12);
}

TEST(ScoreStatistics, IntervalCoversTheTruthWhenOpeningsAreUnfair) {
    // Openings that decide half of the games for White: pairs are far from independent games.
    Rng rng(Seed{3});
    int covered = 0;
    constexpr int kTrials = 1000;
    for (int trial = 0; trial < kTrials; ++trial) {
        ScoreCount count;
        for (int pair = 0; pair < 200; ++pair) {
            std::size_t points = 0;
            const bool decided = rng.chance(0.5);
            for (int game = 0; game < 2; ++game) {
                const bool won = decided ? game == 0 : rng.chance(0.55);
                points += won ? 2 : 0;
                ++(won ? count.wins : count.losses);
            }
            ++count.pairs[points];
        }
        const double truth = elo_from_score(0.525);
        const auto value = estimate(count);
        covered += value->elo_95->low <= truth && truth <= value->elo_95->high ? 1 : 0;
    }
    EXPECT_NEAR(static_cast<double>(covered) / kTrials, 0.95, 0.025);
}

}  // namespace
}  // namespace solis::lab
