// Correlations against their definitions, calibration error by hand.
#include "solis/model/metrics.h"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "solis/base/rng.h"

namespace solis::model {
namespace {

// Values with many ties.
std::vector<float> random_values(std::size_t count, std::uint64_t distinct, Rng& rng) {
    std::vector<float> values(count);
    for (float& value : values) value = static_cast<float>(rng.below(distinct)) - 3;
    return values;
}

int sign(float value) { return (value > 0) - (value < 0); }

// Tau-b by looking at every pair.
double kendall_reference(const std::vector<float>& x, const std::vector<float>& y) {
    double agreement = 0, untied_x = 0, untied_y = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
        for (std::size_t j = 0; j < i; ++j) {
            const int a = sign(x[i] - x[j]), b = sign(y[i] - y[j]);
            agreement += a * b;
            untied_x += a * a;
            untied_y += b * b;
        }
    }
    return agreement / std::sqrt(untied_x * untied_y);
}

// Pearson's correlation of ranks found by counting.
double spearman_reference(const std::vector<float>& x, const std::vector<float>& y) {
    const auto rank = [](const std::vector<float>& values, std::size_t i) {
        double below = 0;
        for (const float other : values) {
            below += other < values[i] ? 1.0 : other == values[i] ? 0.5 : 0.0;
        }
        return below;
    };
    double xx = 0, yy = 0, xy = 0;
    const double mean = static_cast<double>(x.size()) / 2;
    for (std::size_t i = 0; i < x.size(); ++i) {
        const double a = rank(x, i) - mean, b = rank(y, i) - mean;
        xx += a * a;
        yy += b * b;
        xy += a * b;
    }
    return xy / std::sqrt(xx * yy);
}

TEST(Metrics, CorrelationsMatchTheirDefinitionsAtEveryLengthAndTieRate) {
    Rng rng(Seed{11});
    for (std::size_t count = 2; count <= 40; ++count) {
        for (const std::uint64_t distinct : {2, 5, 1000}) {
            const auto x = random_values(count, distinct, rng);
            const auto y = random_values(count, distinct, rng);
            const double tau = kendall_reference(x, y);
            if (std::isnan(tau)) {
                EXPECT_TRUE(std::isnan(kendall_tau(x, y)));
                EXPECT_TRUE(std::isnan(spearman(x, y)));
                continue;
            }
            EXPECT_NEAR(kendall_tau(x, y), tau, 1e-12) << count << " " << distinct;
            EXPECT_NEAR(spearman(x, y), spearman_reference(x, y), 1e-12)
                << count << " " << distinct;
        }
    }
}

TEST(Metrics, CorrelationsAreOneForAnyMonotoneMapAndMinusOneReversed) {
    const std::vector<float> x{-2, 0, 1, 5, 9}, up{0, 0.1f, 0.2f, 0.9f, 1}, down{5, 4, 3, 2, -7};
    EXPECT_DOUBLE_EQ(spearman(x, up), 1);
    EXPECT_DOUBLE_EQ(kendall_tau(x, up), 1);
    EXPECT_DOUBLE_EQ(spearman(x, down), -1);
    EXPECT_DOUBLE_EQ(kendall_tau(x, down), -1);
}

TEST(Metrics, KendallMatchesAPublishedExampleWithTies) {
    // scipy.stats.kendalltau([12, 2, 1, 12, 2], [1, 4, 7, 1, 0])
    EXPECT_NEAR(kendall_tau(std::vector<float>{12, 2, 1, 12, 2}, std::vector<float>{1, 4, 7, 1, 0}),
                -0.47140452079103173, 1e-12);
}

TEST(Metrics, CorrelationsOfNothingAreUndefined) {
    const std::vector<float> none, one{1}, same{3, 3, 3}, rising{1, 2, 3};
    EXPECT_TRUE(std::isnan(spearman(none, none)));
    EXPECT_TRUE(std::isnan(kendall_tau(none, none)));
    EXPECT_TRUE(std::isnan(spearman(one, one)));
    EXPECT_TRUE(std::isnan(kendall_tau(one, one)));
    EXPECT_TRUE(std::isnan(spearman(same, rising)));
    EXPECT_TRUE(std::isnan(kendall_tau(rising, same)));
}

TEST(Metrics, PairsAreCountedWithinTheirGroup) {
    PairOrder order;
    EXPECT_TRUE(std::isnan(order.share()));
    // Three pairs, of which that of the last two is in the wrong order.
    const std::vector<float> labels{0.1f, 0.5f, 0.3f}, scores{1, 2, 5};
    order.add(scores, labels);
    EXPECT_EQ(order.pairs, 3u);
    EXPECT_DOUBLE_EQ(order.in_order, 2);
    // Equal labels ask nothing; equal scores answer by a throw of a coin.
    const std::vector<float> tied_labels{0.2f, 0.2f, 0.9f}, tied_scores{3, 4, 4};
    order.add(tied_scores, tied_labels);
    EXPECT_EQ(order.pairs, 5u);
    EXPECT_DOUBLE_EQ(order.in_order, 3.5);
    EXPECT_DOUBLE_EQ(order.share(), 0.7);
}

TEST(Metrics, MeanErrorIsTheMeanDistance) {
    const std::vector<float> predicted{0.25f, 1.0f}, actual{0.5f, 0.25f};
    EXPECT_DOUBLE_EQ(mean_error(predicted, actual), 0.5);
    EXPECT_EQ(mean_error({}, {}), 0);
}

TEST(Metrics, CalibrationErrorIsTheWeightedDistancePerBin) {
    // Bin [0, 0.5): means 0.2 and 0.5, 2 samples. Bin [0.5, 1]: means 0.8 and 0.7, 3 samples.
    const std::vector<float> predicted{0.1f, 0.3f, 0.6f, 0.8f, 1.0f};
    const std::vector<float> actual{0.0f, 1.0f, 0.5f, 0.6f, 1.0f};
    EXPECT_NEAR(expected_calibration_error(predicted, actual, 2), (2 * 0.3 + 3 * 0.1) / 5, 1e-6);
    EXPECT_EQ(expected_calibration_error(predicted, predicted, 7), 0);
    EXPECT_EQ(expected_calibration_error({}, {}), 0);
}

}  // namespace
}  // namespace solis::model
