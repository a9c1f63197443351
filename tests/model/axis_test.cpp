// The advantage axis: geometry of both constructions, refusals.
#include "solis/model/axis.h"

#include <cmath>

#include <gtest/gtest.h>

#include "solis/base/rng.h"

namespace solis::model {
namespace {

std::vector<float> random_vector(std::size_t dims, double length, Rng& rng) {
    std::vector<float> v(dims);
    double squares = 0;
    for (float& x : v) {
        x = static_cast<float>(2 * rng.unit() - 1);
        squares += static_cast<double>(x) * x;
    }
    for (float& x : v) x = static_cast<float>(x * length / std::sqrt(squares));
    return v;
}

double dot(const std::vector<float>& a, const std::vector<float>& b) {
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i) sum += static_cast<double>(a[i]) * b[i];
    return sum;
}

TEST(Axis, DirectionIsTheUnitVectorBetweenTheMeans) {
    const auto axis = axis_from_means({0.6f, 0.0f, 0.5f}, {-0.2f, 0.6f, 0.5f});
    ASSERT_TRUE(axis);
    EXPECT_EQ(axis->direction, (std::vector<float>{0.8f, -0.6f, 0.0f}));
    EXPECT_FLOAT_EQ(axis->score(std::vector<float>{1, 0, 0}), 0.8f);
}

TEST(Axis, AnchoredScoreIsZeroAtMuBlackAndDiffersByAConstant) {
    Rng rng(Seed{1});
    const auto axis = axis_from_means(random_vector(64, 0.8, rng), random_vector(64, 0.7, rng));
    ASSERT_TRUE(axis);
    EXPECT_NEAR(axis->anchored_score(axis->mu_black), 0, 1e-6);
    const float constant = axis->score(axis->mu_white) - axis->anchored_score(axis->mu_white);
    for (int i = 0; i < 20; ++i) {
        const auto z = random_vector(64, 1, rng);
        EXPECT_NEAR(axis->score(z) - axis->anchored_score(z), constant, 1e-6);
    }
}

TEST(Axis, ReflectionNegatesTheScoreKeepsTheLengthAndUndoesItself) {
    Rng rng(Seed{2});
    const auto axis = axis_from_means(random_vector(24, 0.8, rng), random_vector(24, 0.7, rng));
    ASSERT_TRUE(axis);
    const auto z = random_vector(24, 1, rng);
    auto mirrored = z;
    axis->reflect(mirrored);
    EXPECT_NEAR(axis->score(mirrored), -axis->score(z), 1e-6);
    EXPECT_NEAR(dot(mirrored, mirrored), 1, 1e-5);
    axis->reflect(mirrored);
    for (std::size_t i = 0; i < z.size(); ++i) EXPECT_NEAR(mirrored[i], z[i], 1e-6);
}

TEST(Axis, MoverMeansGiveMeansInWhitesViewThatMirrorEachOther) {
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        Rng rng(Seed{seed});
        const auto wins = random_vector(64, 0.9, rng), loses = random_vector(64, 0.6, rng);
        const auto axis = axis_from_mover_means(wins, loses);
        ASSERT_TRUE(axis) << seed;
        // Nothing of the direction is lost: mu_white - mu_black = wins - loses.
        for (std::size_t i = 0; i < wins.size(); ++i) {
            EXPECT_NEAR(axis->mu_white[i] - axis->mu_black[i], wins[i] - loses[i], 1e-6);
        }
        auto mirrored = axis->mu_white;
        axis->reflect(mirrored);
        for (std::size_t i = 0; i < wins.size(); ++i) {
            EXPECT_NEAR(mirrored[i], axis->mu_black[i], 1e-6);
        }
        // So an even position, half way between them, scores 0.
        EXPECT_NEAR(axis->score(axis->mu_white) + axis->score(axis->mu_black), 0, 1e-6);
    }
}

// The claim behind axis_from_mover_means, with the definition written out: White's view of each
// position, averaged over positions White wins, where both colours move equally often.
TEST(Axis, MoverMeansEqualTheAverageOverBothColoursToMove) {
    Rng rng(Seed{5});
    std::vector<std::vector<float>> won, lost;
    std::vector<float> wins(16, 0.0f), loses(16, 0.0f);
    for (int i = 0; i < 50; ++i) {
        won.push_back(random_vector(16, 1, rng));
        won.back()[0] += 0.5f;
        lost.push_back(random_vector(16, 1, rng));
        lost.back()[0] -= 0.5f;
        for (auto* v : {&won.back(), &lost.back()}) {
            const auto length = static_cast<float>(std::sqrt(dot(*v, *v)));
            for (float& x : *v) x /= length;
        }
        for (std::size_t k = 0; k < 16; ++k) wins[k] += won.back()[k] / 50;
        for (std::size_t k = 0; k < 16; ++k) loses[k] += lost.back()[k] / 50;
    }
    const auto axis = axis_from_mover_means(wins, loses);
    ASSERT_TRUE(axis);
    std::vector<float> white_wins(16, 0.0f);
    for (const auto& z : won) {  // White to move and winning
        for (std::size_t k = 0; k < 16; ++k) white_wins[k] += z[k] / 100;
    }
    for (auto z : lost) {  // Black to move and losing
        axis->reflect(z);
        for (std::size_t k = 0; k < 16; ++k) white_wins[k] += z[k] / 100;
    }
    for (std::size_t k = 0; k < 16; ++k) EXPECT_NEAR(white_wins[k], axis->mu_white[k], 1e-5);
}

TEST(Axis, RefusesMeansThatGiveNoDirection) {
    const std::vector<float> mean{0.5f, 0.5f};
    const auto message = [](const Result<AdvantageAxis>& axis) { return axis.error().message; };
    EXPECT_EQ(message(axis_from_means(mean, mean)),
              "axis: the means of won and lost positions are 0 apart, expected at least 0.001");
    EXPECT_EQ(message(axis_from_means(mean, {0.5f})),
              "axis: mu_white has 2 dimensions, mu_black has 1");
    EXPECT_EQ(message(axis_from_means({}, {})), "axis: mu_white has 0 dimensions, mu_black has 0");
    EXPECT_EQ(message(axis_from_means(mean, {0.0f, NAN})),
              "axis: mu_black[1] is nan, expected a finite number");
    EXPECT_EQ(message(axis_from_means({3.0f, 4.0f}, mean)),
              "axis: mu_white has length 5, expected at most 1 for a mean of unit vectors");
    EXPECT_FALSE(axis_from_mover_means(mean, mean));
    EXPECT_FALSE(axis_from_mover_means(mean, std::vector<float>{0.5f}));
}

}  // namespace
}  // namespace solis::model
