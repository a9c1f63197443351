// Principal components and the maps made of them.
#include "solis/atlas/pca.h"

#include <cmath>

#include <gtest/gtest.h>

#include "tests/atlas/random_points.h"

namespace solis::atlas {
namespace {

// Spread 3 along (0.6, 0.8, 0), 1 along (-0.8, 0.6, 0), 0.1 along the third; mean (5, 6, 7).
std::vector<float> flat_cloud(std::size_t rows) {
    Rng rng(Seed{1});
    std::vector<float> points;
    for (std::size_t i = 0; i < rows; ++i) {
        const float a = 3 * bell(rng), b = bell(rng), c = 0.1f * bell(rng);
        points.insert(points.end(), {5 + 0.6f * a - 0.8f * b, 6 + 0.8f * a + 0.6f * b, 7 + c});
    }
    return points;
}

TEST(Pca, FindsTheDirectionsOfSpread) {
    const std::vector<float> points = flat_cloud(9000);
    ThreadPool pool(2);
    const Pca pca = principal_components({points, 3}, 3, pool);
    EXPECT_NEAR(static_cast<double>(pca.directions[0][0]), 0.6, 0.02);
    EXPECT_NEAR(static_cast<double>(pca.directions[0][1]), 0.8, 0.02);
    EXPECT_NEAR(static_cast<double>(pca.mean[2]), 7, 0.01);
    EXPECT_NEAR(pca.variances[0] / pca.variances[1], 9, 0.5);
    EXPECT_NEAR(pca.variances[0] + pca.variances[1] + pca.variances[2], pca.total_variance, 1e-4);
}

TEST(Pca, IsTheSameForAnyNumberOfThreads) {
    const std::vector<float> points = cluster_points(20'000, 7, 2);
    ThreadPool one(1), three(3);
    EXPECT_EQ(principal_components({points, 7}, 3, one).directions,
              principal_components({points, 7}, 3, three).directions);
}

TEST(Pca, OfEqualPointsStillHasDirections) {
    const std::vector<float> points(300, 1.0f);
    ThreadPool pool(1);
    const Pca pca = principal_components({points, 3}, 2, pool);
    for (const auto& direction : pca.directions) {
        double length = 0;
        for (const float value : direction) length += static_cast<double>(value * value);
        EXPECT_NEAR(length, 1, 1e-5);
    }
    EXPECT_NEAR(pca.total_variance, 0, 1e-12);
}

TEST(AxisProjection, HasTheAxisToTheRightAndTheRestUpwards) {
    const std::vector<float> points = flat_cloud(4000);
    const std::vector<float> axis{1, 0, 0};
    ThreadPool pool(1);
    const Projection projection = axis_projection({points, 3}, axis, pool);
    EXPECT_EQ(projection.x_direction, axis);
    EXPECT_NEAR(static_cast<double>(projection.y_direction[0]), 0, 1e-6);
    EXPECT_NEAR(static_cast<double>(projection.y_direction[1]), 1, 0.01);
    // The zero of the axis stays where it is.
    const std::vector<float> point{2, 6, 7};
    EXPECT_NEAR(static_cast<double>(projection(point).x), 2, 1e-5);
}

}  // namespace
}  // namespace solis::atlas
