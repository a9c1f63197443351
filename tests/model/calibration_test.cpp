// Calibration: recovers known curves, symmetry, inverse, refusals.
#include "solis/model/calibration.h"

#include <cmath>
#include <functional>

#include <gtest/gtest.h>

#include "solis/base/rng.h"
#include "solis/model/metrics.h"

namespace solis::model {
namespace {

constexpr std::size_t kSamples = 40000;

struct Samples {
    std::vector<float> scores, labels;
};

double logistic(double x) { return 1 / (1 + std::exp(-x)); }

// Scores over [-1, 1]; labels are 0 or 1, drawn with probability truth(score): the noisiest kind.
Samples simulate(const std::function<double(double)>& truth, Seed seed,
                 std::size_t count = kSamples) {
    Rng rng(seed);
    Samples samples;
    for (std::size_t i = 0; i < count; ++i) {
        const double score = 2 * rng.unit() - 1;
        samples.scores.push_back(static_cast<float>(score));
        samples.labels.push_back(rng.chance(truth(score)) ? 1.0f : 0.0f);
    }
    return samples;
}

double worst_error(const Calibration& calibration, const std::function<double(double)>& truth) {
    double worst = 0;
    for (double score = -0.98; score <= 0.98; score += 0.01) {
        worst = std::max(worst, std::abs(calibration.win_probability(score) - truth(score)));
    }
    return worst;
}

TEST(Calibration, RecoversASymmetricTruth) {
    const auto truth = [](double score) { return logistic(5 * score); };
    const Samples samples = simulate(truth, Seed{1});
    const auto calibration = fit_calibration(samples.scores, samples.labels);
    ASSERT_TRUE(calibration) << calibration.error().message;
    EXPECT_LE(worst_error(*calibration, truth), 0.03);
    EXPECT_LE(calibration->scores().size(), Calibration::kMaxKnots);
    EXPECT_NEAR(calibration->draw_score(), 0, 0.01);
}

TEST(Calibration, RecoversATruthThatIsNotSymmetric) {
    const auto truth = [](double score) { return logistic(7 * (score - 0.3)); };
    const Samples samples = simulate(truth, Seed{2});
    const auto calibration = fit_calibration(samples.scores, samples.labels);
    ASSERT_TRUE(calibration) << calibration.error().message;
    EXPECT_LE(worst_error(*calibration, truth), 0.05);
    EXPECT_NEAR(calibration->draw_score(), 0.3, 0.02);
}

TEST(Calibration, MakesHeldOutPredictionsHonest) {
    const auto truth = [](double score) { return logistic(12 * score * std::abs(score)); };
    const Samples training = simulate(truth, Seed{3}), held_out = simulate(truth, Seed{4});
    const auto calibration = fit_calibration(training.scores, training.labels);
    ASSERT_TRUE(calibration);
    std::vector<float> naive, calibrated;
    for (const float score : held_out.scores) {
        naive.push_back((score + 1) / 2);
        calibrated.push_back(static_cast<float>(calibration->win_probability(score)));
    }
    EXPECT_LE(expected_calibration_error(calibrated, held_out.labels), 0.012);
    EXPECT_GE(expected_calibration_error(naive, held_out.labels), 0.03);
}

TEST(Calibration, ASymmetricCurveIsItsOwnSymmetrised) {
    const auto curve = Calibration::from_knots({-0.75f, -0.25f, 0, 0.25f, 0.75f},
                                               {0.0625f, 0.25f, 0.5f, 0.75f, 0.9375f});
    ASSERT_TRUE(curve);
    EXPECT_EQ(curve->symmetrised(), *curve);
}

TEST(Calibration, SymmetrisedTakesTheMeanDistanceOfBothProbabilities) {
    for (std::uint64_t seed = 5; seed < 15; ++seed) {
        Rng rng(Seed{seed});
        std::vector<float> scores, ps;
        for (int i = 0; i < 20; ++i) {
            scores.push_back(static_cast<float>((i + 0.8 * rng.unit()) / 10 - 1));
            ps.push_back(static_cast<float>((i + 0.8 * rng.unit()) / 20));
        }
        const auto curve = Calibration::from_knots(scores, ps);
        ASSERT_TRUE(curve) << curve.error().message;
        const Calibration symmetric = curve->symmetrised();
        for (double x = -1.5; x < 1.5; x += 0.01) {
            EXPECT_NEAR(symmetric.win_probability(-x), 1 - symmetric.win_probability(x), 1e-6);
        }
        const double most = static_cast<double>(symmetric.probabilities().back());
        for (double p = 0.5; p < most; p += 0.003) {
            const double mean = (curve->score_at(p) - curve->score_at(1 - p)) / 2;
            EXPECT_NEAR(symmetric.win_probability(mean), p, 1e-4) << seed;
        }
    }
}

TEST(Calibration, IsMonotoneAndInvertibleForAnySamples) {
    for (std::uint64_t seed = 1; seed <= 60; ++seed) {
        Rng rng(Seed{seed});
        Samples samples;
        const std::size_t count = 2 + rng.below(seed * 4);
        for (std::size_t i = 0; i < count; ++i) {
            // Few distinct values, so that scores and labels are often equal.
            samples.scores.push_back(static_cast<float>(rng.below(20)) / 10 - 0.95f);
            samples.labels.push_back(static_cast<float>(rng.below(5)) / 4);
        }
        const std::size_t max_knots = 3 + rng.below(20);
        const auto calibration = fit_calibration(samples.scores, samples.labels, max_knots);
        if (!calibration) continue;  // no trend
        EXPECT_LE(calibration->scores().size(), max_knots);
        double last = 0;
        for (double score = -1.2; score <= 1.2; score += 0.01) {
            const double p = calibration->win_probability(score);
            EXPECT_GE(p, last - 1e-12) << seed;
            last = p;
            EXPECT_NEAR(calibration->win_probability(calibration->score_at(p)), p, 1e-6);
        }
    }
}

TEST(Calibration, IsotonicBlocksAreTheLeastSquaresFit) {
    // Pools 0.5, 0.3 and 0.4 to their mean, by hand; few samples keep every block as a knot.
    const std::vector<float> scores{0, 1, 2, 3, 4}, labels{0.1f, 0.5f, 0.3f, 0.4f, 0.9f};
    const auto calibration = fit_calibration(scores, labels);
    ASSERT_TRUE(calibration);
    ASSERT_EQ(calibration->scores().size(), 3u);
    EXPECT_FLOAT_EQ(calibration->scores()[1], 2);
    EXPECT_FLOAT_EQ(calibration->probabilities()[1], 0.4f);
}

TEST(Calibration, InterpolatesAndIsConstantOutside) {
    const auto calibration = Calibration::from_knots({-1, 0, 2}, {0.2f, 0.4f, 0.8f});
    ASSERT_TRUE(calibration);
    EXPECT_NEAR(calibration->win_probability(-0.5), 0.3, 1e-7);
    EXPECT_NEAR(calibration->win_probability(1), 0.6, 1e-7);
    EXPECT_NEAR(calibration->win_probability(-9), 0.2, 1e-7);
    EXPECT_NEAR(calibration->win_probability(9), 0.8, 1e-7);
    EXPECT_NEAR(calibration->draw_score(), 0.5, 1e-6);
    EXPECT_EQ(calibration->score_at(0), -1);
    EXPECT_EQ(calibration->score_at(1), 2);
}

TEST(Calibration, InverseOfAPlateauIsItsMiddle) {
    const auto calibration = Calibration::from_knots({-3, -1, 2, 3}, {0.0f, 0.5f, 0.5f, 1.0f});
    ASSERT_TRUE(calibration);
    EXPECT_EQ(calibration->draw_score(), 0.5);
}

TEST(Calibration, RefusesKnotsThatAreNoCurve) {
    const auto message = [](std::vector<float> scores, std::vector<float> p) {
        return Calibration::from_knots(std::move(scores), std::move(p)).error().message;
    };
    EXPECT_EQ(message({0}, {0.5f}),
              "calibration: 1 scores and 1 probabilities, expected 2 to 64 of each");
    EXPECT_EQ(message({0, 1, 1}, {0, 0.5f, 1}),
              "calibration: knot 2: score 1 after 1, expected rising scores");
    EXPECT_EQ(message({0, 1, 2}, {0, 0.6f, 0.5f}),
              "calibration: knot 2: p = 0.5 after 0.6, expected p to rise with the score");
    EXPECT_EQ(message({0, 1}, {0, 1.5f}), "calibration: knot 1: p = 1.5, expected 0 to 1");
    EXPECT_EQ(message({0, 1}, {0, NAN}), "calibration: knot 1: p = nan, expected 0 to 1");
    EXPECT_EQ(message({0, INFINITY}, {0, 1}),
              "calibration: knot 1: score inf, expected a finite number");
    EXPECT_EQ(message({0, 1}, {0.6f, 0.7f}),
              "calibration: p goes from 0.6 to 0.7, expected to pass 0.5");
}

TEST(Calibration, RefusesSamplesWithoutATrend) {
    const std::vector<float> scores{-1, 0, 1}, falling{1, 0.5f, 0};
    const auto flat = fit_calibration(scores, falling);
    ASSERT_FALSE(flat);
    EXPECT_EQ(flat.error().message,
              "calibration: 3 samples show no rise of the label with the score");
    EXPECT_FALSE(fit_calibration({}, {}));
    EXPECT_FALSE(fit_calibration(scores, std::vector<float>{0, 1}));
    EXPECT_EQ(fit_calibration(scores, std::vector<float>{0, 1, 2}).error().message,
              "calibration: sample 2 has score 1 and label 2, expected a finite score and a label "
              "in [0, 1]");
}

}  // namespace
}  // namespace solis::model
