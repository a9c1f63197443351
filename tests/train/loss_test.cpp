// The loss that a config names, and the control.
#include "train/loss.h"

#include <array>

#include <gtest/gtest.h>

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
    config.temperature = 0.5;
    config.margin = 0.05;
    const std::vector<float> z{1, 0, 0.5f, 0.8660254f, -1, 0};
    const std::vector<float> labels{0.50f, 0.52f, 0.90f};
    std::vector<float> d_z(z.size());
    ThreadPool pool(1);
    EXPECT_NEAR(Loss(config)(z, labels, 2, pool, d_z), 0.0877577, 1e-6);
}

}  // namespace
}  // namespace solis::train
