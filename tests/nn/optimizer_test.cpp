// Optimisers against their textbook formulas in double precision.
#include "solis/nn/optimizer.h"

#include <cmath>

#include <gtest/gtest.h>

#include "solis/base/rng.h"
#include "solis/nn/orthogonal.h"

namespace solis::nn {
namespace {

// 37 is no multiple of any vector length.
constexpr std::size_t kSize = 37;

struct FitProblem {
    Tensor x{"x", {kSize}};
    Tensor gradient{"x", {kSize}};
    Rng rng{Seed{4}};

    FitProblem() {
        for (float& value : x.values) value = static_cast<float>(rng.unit());
    }
    void draw_gradient() {
        for (float& value : gradient.values) value = static_cast<float>(2 * rng.unit() - 1);
    }
};

TEST(Optimizer, AdamWFollowsTheFormula) {
    FitProblem run;
    OptimizerConfig config;
    config.weight_decay = 0.1f;
    std::vector<Tensor*> x{&run.x}, gradients{&run.gradient};
    Optimizer optimizer(config, x);
    ThreadPool pool(1);
    std::vector<double> expected(run.x.values.begin(), run.x.values.end());
    std::vector<double> m(kSize), v(kSize);
    const double rate = 0.01, scale = 0.5;
    for (int step = 1; step <= 20; ++step) {
        run.draw_gradient();
        optimizer.step(x, gradients, 0.01f, 0.5f, pool);
        for (std::size_t i = 0; i < kSize; ++i) {
            const double g = scale * static_cast<double>(run.gradient.values[i]);
            m[i] = 0.9 * m[i] + 0.1 * g;
            v[i] = 0.999 * v[i] + 0.001 * g * g;
            const double corrected_m = m[i] / (1 - std::pow(0.9, step));
            const double corrected_v = v[i] / (1 - std::pow(0.999, step));
            expected[i] -= rate * 0.1 * expected[i];
            expected[i] -= rate * corrected_m / (std::sqrt(corrected_v) + 1e-8);
        }
    }
    for (std::size_t i = 0; i < kSize; ++i) EXPECT_NEAR(run.x.values[i], expected[i], 1e-5) << i;
}

TEST(Optimizer, SgdFollowsTheFormula) {
    FitProblem run;
    OptimizerConfig config;
    config.kind = OptimizerKind::Sgd;
    config.weight_decay = 0.01f;
    std::vector<Tensor*> x{&run.x}, gradients{&run.gradient};
    Optimizer optimizer(config, x);
    ThreadPool pool(1);
    std::vector<double> expected(run.x.values.begin(), run.x.values.end()), m(kSize);
    for (int step = 0; step < 20; ++step) {
        run.draw_gradient();
        optimizer.step(x, gradients, 0.05f, 1.0f, pool);
        for (std::size_t i = 0; i < kSize; ++i) {
            m[i] = 0.9 * m[i] + static_cast<double>(run.gradient.values[i]) + 0.01 * expected[i];
            expected[i] -= 0.05 * m[i];
        }
    }
    for (std::size_t i = 0; i < kSize; ++i) EXPECT_NEAR(run.x.values[i], expected[i], 1e-5) << i;
}

std::vector<float> random_matrix(std::size_t rows, std::size_t cols, std::uint64_t seed) {
    Rng rng(Seed{seed});
    std::vector<float> x(rows * cols);
    for (float& value : x) value = static_cast<float>(2 * rng.unit() - 1);
    return x;
}

// x^T x or x x^T, whichever is smaller.
std::vector<double> gram(std::span<const float> x, std::size_t rows, std::size_t cols) {
    const std::size_t small = std::min(rows, cols), large = std::max(rows, cols);
    std::vector<double> result(small * small);
    const auto at = [&](std::size_t i, std::size_t k) {
        return static_cast<double>(rows <= cols ? x[i * cols + k] : x[k * cols + i]);
    };
    for (std::size_t i = 0; i < small; ++i) {
        for (std::size_t j = 0; j < small; ++j) {
            for (std::size_t k = 0; k < large; ++k) result[i * small + j] += at(i, k) * at(j, k);
        }
    }
    return result;
}

TEST(Orthogonalize, SingularValuesComeNearOneInAnyShape) {
    struct Shape {
        std::size_t rows, cols;
    };
    for (const auto [rows, cols] : {Shape{20, 48}, Shape{48, 20}, Shape{128, 256}, Shape{1, 9}}) {
        std::vector<float> x = random_matrix(rows, cols, 3);
        const std::vector<float> before = x;
        OrthogonalScratch scratch;
        orthogonalize(x, rows, cols, scratch);
        // Sums over singular values s: of s^2, and of (s^2 - 1)^2.
        const std::vector<double> g = gram(x, rows, cols);
        const std::size_t small = std::min(rows, cols);
        double trace = 0, off = 0, along = 0;
        for (std::size_t i = 0; i < g.size(); ++i) {
            const bool diagonal = i % (small + 1) == 0;
            if (diagonal) trace += g[i];
            off += std::pow(g[i] - (diagonal ? 1 : 0), 2);
        }
        const auto n = static_cast<double>(small);
        EXPECT_NEAR(trace / n, 1, 0.55) << rows;
        EXPECT_LT(std::sqrt(off / n), 0.55) << rows << ": 0.7^2 and 1.2^2 are this far from 1";
        for (std::size_t i = 0; i < x.size(); ++i) along += static_cast<double>(x[i] * before[i]);
        EXPECT_GT(along, 0) << "the same singular vectors, not turned round";
    }
    std::vector<float> zero(12);
    OrthogonalScratch scratch;
    orthogonalize(zero, 3, 4, scratch);
    EXPECT_EQ(zero, std::vector<float>(12));
}

TEST(Orthogonalize, BFloat16GivesNearlyTheSame) {
    for (const std::size_t cols : {16u, 48u, 128u}) {
        std::vector<float> exact = random_matrix(48, cols, 6), rounded = exact;
        OrthogonalScratch scratch;
        orthogonalize(exact, 48, cols, scratch);
        orthogonalize_bf16(rounded, 48, cols, scratch);
        double dot = 0, a = 0, b = 0;
        for (std::size_t i = 0; i < exact.size(); ++i) {
            dot += static_cast<double>(exact[i] * rounded[i]);
            a += static_cast<double>(exact[i] * exact[i]);
            b += static_cast<double>(rounded[i] * rounded[i]);
        }
        EXPECT_GT(dot / std::sqrt(a * b), 0.995) << cols;
        EXPECT_NEAR(a / b, 1, 0.05) << cols;
    }
}

TEST(Optimizer, MuonStepsAreOrthogonalBlockByBlockAndOthersAreAdamWs) {
    Tensor map{"map", {24, 8}}, vector{"vector", {24, 8}};
    Tensor d_map = map, d_vector = vector;
    d_map.values = d_vector.values = random_matrix(24, 8, 5);
    std::vector<Tensor*> x{&map, &vector}, gradients{&d_map, &d_vector};
    OptimizerConfig config;
    config.kind = OptimizerKind::Muon;
    Optimizer muon(config, x, {{0, 3}});
    ThreadPool pool(2);
    muon.step(x, gradients, 0.1f, 1, pool);
    EXPECT_EQ(muon.moments().size(), 3u);
    for (std::size_t block = 0; block < 3; ++block) {
        std::vector<float> expected(
            d_map.values.begin() + static_cast<std::ptrdiff_t>(block * 64),
            d_map.values.begin() + static_cast<std::ptrdiff_t>(block * 64) + 64);
        OrthogonalScratch scratch;
        orthogonalize(expected, 8, 8, scratch);
        const float size = 0.1f * 0.2f * std::sqrt(8.0f);
        for (std::size_t i = 0; i < 64; ++i) {
            EXPECT_NEAR(map.values[block * 64 + i], -size * expected[i], 1e-5f);
        }
    }
    Tensor alone{"vector", {24, 8}};
    std::vector<Tensor*> other{&alone}, other_gradients{&d_vector};
    Optimizer adam({}, other);
    adam.step(other, other_gradients, 0.1f, 1, pool);
    EXPECT_EQ(alone.values, vector.values);
}

}  // namespace
}  // namespace solis::nn
