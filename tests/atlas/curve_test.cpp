// The similarity curve and its forces.
#include "solis/atlas/umap/curve.h"

#include <cmath>

#include <gtest/gtest.h>

namespace solis::atlas {
namespace {

TEST(Curve, AgreesWithUmapLearn) {
    // What umap.umap_.find_ab_params gives.
    const Curve usual = fit_curve(0.1, 1.0);
    EXPECT_NEAR(usual.a, 1.5769434, 2e-4);
    EXPECT_NEAR(usual.b, 0.8950609, 2e-4);
    const Curve tight = fit_curve(0.0, 1.0);
    EXPECT_NEAR(tight.a, 1.9328084, 2e-4);
    EXPECT_NEAR(tight.b, 0.7904950, 2e-4);
}

TEST(Curve, LookedUpForcesAreTheFormulas) {
    const Curve curve = fit_curve(0.1, 1.0);
    const Forces forces(curve);
    for (double squared = 1e-9; squared < 1e6; squared *= 1.37) {
        const double power = std::pow(squared, curve.b);
        const double pull = -2 * curve.a * curve.b * power / squared / (1 + curve.a * power);
        const double push = 2 * curve.b / ((0.001 + squared) * (1 + curve.a * power));
        EXPECT_NEAR(static_cast<double>(forces.attraction(static_cast<float>(squared))) / pull, 1,
                    2e-4)
            << squared;
        EXPECT_NEAR(static_cast<double>(forces.repulsion(static_cast<float>(squared))) / push, 1,
                    2e-4)
            << squared;
    }
}

}  // namespace
}  // namespace solis::atlas
