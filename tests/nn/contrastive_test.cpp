// Contrastive losses: values against double-precision loops, gradients against differences.
#include "solis/nn/contrastive.h"

#include <cmath>

#include <gtest/gtest.h>

#include "solis/base/rng.h"

namespace solis::nn {
namespace {

constexpr std::size_t kDims = 8;

struct LossProblem {
    std::vector<float> z;
    std::vector<float> labels;
};

LossProblem random_problem(std::size_t rows, Seed seed) {
    Rng rng(seed);
    LossProblem problem;
    for (std::size_t i = 0; i < rows; ++i) {
        std::vector<double> row(kDims);
        double norm = 0;
        for (double& value : row) {
            value = 2 * rng.unit() - 1;
            norm += value * value;
        }
        for (const double value : row) {
            problem.z.push_back(static_cast<float>(value / std::sqrt(norm)));
        }
        // Labels from a grid, so that ties occur; of binary fractions, so that float and
        // double agree on which distances are equal.
        problem.labels.push_back(static_cast<float>(rng.below(16)) / 16);
    }
    return problem;
}

double reference(const ContrastiveConfig& config, const LossProblem& problem) {
    const std::vector<double> z(problem.z.begin(), problem.z.end());
    const std::vector<double> labels(problem.labels.begin(), problem.labels.end());
    return contrastive_reference(config, z, labels, kDims);
}

const std::vector<ContrastiveConfig> kConfigs{{ContrastiveKind::SupCon, 0.07f, 0.05f},
                                              {ContrastiveKind::SupCon, 0.5f, 0.3f},
                                              {ContrastiveKind::Soft, 0.07f, 0.2f},
                                              {ContrastiveKind::RankN, 0.07f, 0.05f},
                                              {ContrastiveKind::RankN, 1.0f, 0.05f}};

TEST(Contrastive, LossMatchesTheReference) {
    ThreadPool pool(1);
    for (const ContrastiveConfig& config : kConfigs) {
        for (const std::size_t rows : {2u, 7u, 48u, 97u}) {
            const LossProblem problem = random_problem(rows, Seed{rows});
            std::vector<float> d_z(problem.z.size());
            ContrastiveLoss loss(config);
            const double value = loss(problem.z, problem.labels, kDims, pool, d_z);
            const double expected = reference(config, problem);
            EXPECT_NEAR(value, expected, 2e-6 * (1 + expected))
                << name_of(config.kind) << " rows=" << rows;
        }
    }
}

TEST(Contrastive, GradientMatchesDifferencesOfTheReference) {
    ThreadPool pool(2);
    for (const ContrastiveConfig& config : kConfigs) {
        const LossProblem problem = random_problem(23, Seed{5});
        std::vector<float> d_z(problem.z.size());
        (void)ContrastiveLoss(config)(problem.z, problem.labels, kDims, pool, d_z);
        std::vector<double> z(problem.z.begin(), problem.z.end());
        const std::vector<double> labels(problem.labels.begin(), problem.labels.end());
        for (std::size_t i = 0; i < z.size(); ++i) {
            const double old = z[i], step = 1e-5;
            z[i] = old + step;
            const double above = contrastive_reference(config, z, labels, kDims);
            z[i] = old - step;
            const double below = contrastive_reference(config, z, labels, kDims);
            z[i] = old;
            const double difference = (above - below) / (2 * step);
            EXPECT_NEAR(d_z[i], difference, 2e-5 * (1 + std::abs(difference)))
                << name_of(config.kind) << " at " << i;
        }
    }
}

TEST(Contrastive, ThreadsDoNotChangeABit) {
    const LossProblem problem = random_problem(200, Seed{11});
    for (const ContrastiveConfig& config : kConfigs) {
        std::vector<std::vector<float>> gradients;
        std::vector<double> values;
        for (const std::size_t threads : {1u, 2u, 3u}) {
            ThreadPool pool(threads);
            gradients.emplace_back(problem.z.size());
            values.push_back(
                ContrastiveLoss(config)(problem.z, problem.labels, kDims, pool, gradients.back()));
        }
        for (std::size_t i = 1; i < values.size(); ++i) {
            EXPECT_EQ(values[i], values[0]);
            EXPECT_EQ(gradients[i], gradients[0]);
        }
    }
}

TEST(Contrastive, NoPositivePairMeansNoLossAndNoGradient) {
    ThreadPool pool(1);
    LossProblem problem = random_problem(3, Seed{1});
    problem.labels = {0.0f, 0.5f, 1.0f};
    std::vector<float> d_z(problem.z.size(), 1.0f);
    ContrastiveLoss loss({ContrastiveKind::SupCon, 0.07f, 0.05f});
    EXPECT_EQ(loss(problem.z, problem.labels, kDims, pool, d_z), 0.0);
    EXPECT_EQ(d_z, std::vector<float>(problem.z.size(), 0.0f));
}

}  // namespace
}  // namespace solis::nn
