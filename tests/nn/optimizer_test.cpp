// Optimisers against their textbook formulas in double precision.
#include "nn/optimizer.h"

#include <cmath>

#include <gtest/gtest.h>

#include "base/rng.h"

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

}  // namespace
}  // namespace solis::nn
