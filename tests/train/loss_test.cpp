// The loss that a config names, and the control.
#include "solis/train/loss.h"

#include <array>
#include <cmath>

#include <gtest/gtest.h>

#include "solis/train/batches.h"

namespace solis::train {
namespace {

TEST(Loss, RegressionGradientMatchesDifferences) {
    std::vector<float> z{0.6f, 0.8f, -0.8f, 0.6f, 0.0f, 1.0f};
    const std::vector<float> labels{0.9f, 0.2f, 0.5f};
    std::vector<float> d_z(z.size()), unused(z.size());
    (void)regression_loss(z, labels, 2, d_z);
    for (std::size_t i = 0; i < z.size(); ++i) {
        const float old = z[i], step = 1e-3f;
        z[i] = old + step;
        const double above = regression_loss(z, labels, 2, unused);
        z[i] = old - step;
        const double below = regression_loss(z, labels, 2, unused);
        z[i] = old;
        EXPECT_NEAR(d_z[i], (above - below) / (2 * static_cast<double>(step)), 1e-3) << i;
    }
}

// Three samples on the circle at 0, 60 and 180 degrees, labels 0.50, 0.52 and 0.90, tau = 0.5,
// delta = 0.05. Worked out by hand: only the first two attract. cos 60 = 0.5, cos 180 = -1,
// cos 120 = -0.5. Anchor 1: log(e^1 + e^-2) - 1; anchor 2: log(e^1 + e^-1) - 1; the third has no
// positive. Mean of the two: 0.087757...
TEST(Loss, SupConMatchesAnExampleWorkedOutByHand) {
    TrainConfig config;
    config.loss.temperature = 0.5;
    config.loss.margin = 0.05;
    const std::vector<float> z{1, 0, 0.5f, 0.8660254f, -1, 0};
    const std::vector<float> labels{0.50f, 0.52f, 0.90f};
    std::vector<float> d_z(z.size());
    ThreadPool pool(1);
    EXPECT_NEAR(Loss(config)(z, labels, 2, pool, d_z), 0.0877577, 1e-6);
}

double loss_of(const TrainConfig& config, std::span<const float> z, std::span<const float> labels,
               std::span<float> d_z) {
    ThreadPool pool(1);
    return Loss(config)(z, labels, 3, pool, d_z);
}

void expect_gradient_of_differences(const TrainConfig& config, std::vector<float> z,
                                    const std::vector<float>& labels) {
    std::vector<float> d_z(z.size()), unused(z.size());
    (void)loss_of(config, z, labels, d_z);
    for (std::size_t i = 0; i < z.size(); ++i) {
        const float old = z[i], step = 1e-3f;
        z[i] = old + step;
        const double above = loss_of(config, z, labels, unused);
        z[i] = old - step;
        const double below = loss_of(config, z, labels, unused);
        z[i] = old;
        EXPECT_NEAR(d_z[i], (above - below) / (2 * static_cast<double>(step)), 1e-3) << i;
    }
}

TEST(Loss, LandmarkGradientMatchesDifferences) {
    TrainConfig config;
    config.loss.temperature = 0.5;
    config.loss.margin = 0.1;
    config.loss.landmarks = 11;
    expect_gradient_of_differences(config, {0.6f, 0.8f, 0, -0.8f, 0, 0.6f, 0, 1, 0},
                                   {0.93f, 0.24f, 0.52f});
}

TEST(Loss, GradientsOfGroupsAndOfTheRegressionMatchDifferences) {
    TrainConfig config;
    config.loss.temperature = 0.5;
    config.loss.margin = 0.1;
    config.loss.landmarks = 11;
    config.loss.landmark_middle = 0.55;
    config.loss.regression_weight = 3;
    config.loss.contrast_group = 3;  // five rows: groups of two and three
    expect_gradient_of_differences(
        config, {0.6f, 0.8f, 0, -0.8f, 0, 0.6f, 0, 1, 0, 0, 0.6f, 0.8f, -1, 0, 0},
        {0.93f, 0.24f, 0.52f, 0.58f, 0.03f});
}

TEST(Loss, GroupsAreLossesOfTheirOwnAndThreadsDoNotChangeThem) {
    TrainConfig config;
    config.loss.temperature = 0.5;
    config.loss.margin = 0.1;
    config.loss.landmarks = 5;
    Rng rng(Seed{3});
    constexpr std::size_t kRows = 24, kGroup = 8;
    std::vector<float> z(3 * kRows), labels(kRows), d_z(z.size()), d_three(z.size());
    for (float& value : labels) value = static_cast<float>(rng.unit());
    for (std::size_t row = 0; row < kRows; ++row) {
        const double angle = 6 * rng.unit();
        z[3 * row] = static_cast<float>(std::cos(angle));
        z[3 * row + 2] = static_cast<float>(std::sin(angle));
    }
    double mean = 0;
    std::vector<float> expected(z.size());
    for (std::size_t row = 0; row < kRows; row += kGroup) {
        const std::span<float> d_group = std::span(expected).subspan(3 * row, 3 * kGroup);
        mean += loss_of(config, std::span(z).subspan(3 * row, 3 * kGroup),
                        std::span(labels).subspan(row, kGroup), d_group) /
                3;
        for (float& value : d_group) value /= 3;
    }
    config.loss.contrast_group = kGroup;
    EXPECT_NEAR(loss_of(config, z, labels, d_z), mean, 1e-6);
    for (std::size_t i = 0; i < z.size(); ++i) EXPECT_NEAR(d_z[i], expected[i], 1e-6) << i;
    ThreadPool three(3);
    EXPECT_EQ(Loss(config)(z, labels, 3, three, d_three), loss_of(config, z, labels, d_z));
    EXPECT_EQ(d_three, d_z);
}

TEST(Loss, TheRegressionWantsTheFirstCoordinateOfThePlaceOnTheArc) {
    TrainConfig config;
    config.loss.kind = LossKind::SupCon;
    config.loss.landmark_arc = 180;
    config.loss.regression_weight = 2;
    std::vector<float> d_z(3);
    // One sample without landmarks has no contrastive loss. A label of 0.75 is half way up: 45
    // degrees, sine 0.7071.
    const std::vector<float> z{0, 1, 0};
    EXPECT_NEAR(loss_of(config, z, std::vector<float>{0.75f}, d_z), 2 * 0.5, 1e-6);
    EXPECT_NEAR(d_z[0], -4 * std::sqrt(0.5), 1e-6);
    EXPECT_EQ(d_z[1], 0);
}

// A lone sample has nothing else to go by.
TEST(Loss, LandmarksPullASampleTowardsItsPlaceOnTheArc) {
    TrainConfig config;
    config.loss.landmarks = 41;
    config.loss.landmark_arc = 180;
    const std::vector<float> z{0, 1, 0};  // the place of label 0.5
    std::vector<float> d_z(3);
    (void)loss_of(config, z, std::vector<float>{0.9f}, d_z);
    EXPECT_LT(d_z[0], -0.1) << "a won position moves up the axis";
    (void)loss_of(config, z, std::vector<float>{0.1f}, d_z);
    EXPECT_GT(d_z[0], 0.1) << "a lost one down";
    (void)loss_of(config, z, std::vector<float>{0.5f}, d_z);
    EXPECT_NEAR(d_z[0], 0, 1e-2);
}

TEST(Loss, TheMiddleOfTheArcCanBelongToAnotherLabel) {
    TrainConfig config;
    config.loss.landmarks = 41;
    config.loss.landmark_arc = 180;
    config.loss.landmark_middle = 0.6;
    const std::vector<float> z{0, 1, 0};
    std::vector<float> d_z(3);
    (void)loss_of(config, z, std::vector<float>{0.6f}, d_z);
    EXPECT_NEAR(d_z[0], 0, 5e-2);
    (void)loss_of(config, z, std::vector<float>{0.5f}, d_z);
    EXPECT_GT(d_z[0], 0.1) << "an even position belongs further down";
}

TEST(TrainingLabel, IsTheWinProbabilityUnlessDistancesAreAskedFor) {
    using data::Score;
    const TrainConfig config;
    EXPECT_EQ(training_label(config, Score::mate_in(3)), 1);
    EXPECT_EQ(training_label(config, Score::mated_in(3)), 0);
    EXPECT_EQ(training_label(config, Score::centipawns(300)),
              static_cast<float>(Score::centipawns(300).win_probability()));
}

TEST(TrainingLabel, MatesLieFartherFromADrawTheNearerTheyAre) {
    using data::Score;
    TrainConfig config;
    config.loss.labels = LabelKind::MateDistance;
    const auto label = [&](Score score) { return training_label(config, score); };
    EXPECT_EQ(label(Score::centipawns(0)), 0.5f);
    EXPECT_EQ(label(Score::mated_in(0)), 0);
    for (int n = 1; n < 33; ++n) {
        // Mate in n is one ply nearer than being mated in n, and farther than mate in n + 1.
        EXPECT_GT(label(Score::mate_in(n)), 1 - label(Score::mated_in(n))) << n;
        EXPECT_GT(1 - label(Score::mated_in(n)), label(Score::mate_in(n + 1))) << n;
    }
    EXPECT_GT(label(Score::mate_in(Score::kUnknownDistance)), 0.54f);
}

}  // namespace
}  // namespace solis::train
