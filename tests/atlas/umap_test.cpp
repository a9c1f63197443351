// UMAP as a whole.
#include "solis/atlas/umap/umap.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "solis/atlas/quality.h"
#include "tests/atlas/random_points.h"

namespace solis::atlas {
namespace {

bool finite(const std::vector<Place>& places) {
    for (const Place& place : places) {
        if (!std::isfinite(place.x) || !std::isfinite(place.y)) return false;
    }
    return true;
}

TEST(Umap, KeepsNeighboursFarBetterThanChance) {
    const std::vector<float> values = cluster_points(fewer_if_sanitized(3000), 16, 1, 12, 0.5f);
    ThreadPool pool(2);
    for (const Start start : {Start::Pca, Start::Spectral}) {
        UmapOptions options;
        options.start = start;
        const auto fit = fit_umap({values, 16}, options, pool);
        ASSERT_TRUE(fit);
        const MapQuality quality =
            map_quality({values, 16}, options.metric, fit->places, 15, 500, pool);
        EXPECT_GT(quality.trustworthiness, 0.95);
        EXPECT_GT(quality.recall, 0.15);  // of 3000 points in 16 dimensions; chance is 0.005
    }
}

TEST(Umap, IsTheSameForAnyNumberOfThreads) {
    const std::vector<float> values = cluster_points(2500, 6, 2);
    UmapOptions options;
    options.n_epochs = 60;
    ThreadPool one(1), two(2), five(5);
    const auto a = fit_umap({values, 6}, options, one);
    const auto b = fit_umap({values, 6}, options, two);
    const auto c = fit_umap({values, 6}, options, five);
    EXPECT_EQ(a->places, b->places);
    EXPECT_EQ(a->places, c->places);
    options.seed = Seed{7};
    EXPECT_NE(fit_umap({values, 6}, options, one)->places, a->places);
}

TEST(Umap, TakesFewPointsAndDuplicates) {
    ThreadPool pool(2);
    UmapOptions options;
    options.metric = Metric::Euclidean;
    options.n_epochs = 50;
    for (const std::size_t rows : {1u, 2u, 3u, 5u, 16u, 40u}) {
        for (const bool equal : {false, true}) {
            std::vector<float> values = cluster_points(rows, 4, 3);
            if (equal) std::ranges::fill(values, 0.5f);
            const auto fit = fit_umap({values, 4}, options, pool);
            ASSERT_TRUE(fit) << rows;
            EXPECT_EQ(fit->places.size(), rows);
            EXPECT_TRUE(finite(fit->places)) << rows << (equal ? " equal" : "");
        }
    }
}

TEST(Umap, TakesAHundredThousandEqualPoints) {
    const std::vector<float> values(200'000, 0.25f);
    ThreadPool pool(2);
    UmapOptions options;
    options.n_epochs = 3;
    const auto fit = fit_umap({values, 2}, options, pool);
    ASSERT_TRUE(fit);
    EXPECT_TRUE(finite(fit->places));
}

TEST(Umap, RefusesWhatIsNoNumber) {
    std::vector<float> values = cluster_points(20, 4, 4);
    ThreadPool pool(1);
    for (const float bad :
         {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()}) {
        values[4 * 13 + 2] = bad;
        const auto fit = fit_umap({values, 4}, {}, pool);
        ASSERT_FALSE(fit);
        EXPECT_EQ(fit.error().message, "point 13 has a value that is not a finite number");
    }
    EXPECT_EQ(fit_umap({{}, 4}, {}, pool).error().message, "there are no points");
    const std::vector<float> zero(8);
    EXPECT_EQ(fit_umap({zero, 4}, {}, pool).error().message,
              "point 0 has length 0 and so no cosine to others");
}

TEST(Umap, RefusesSenselessOptions) {
    const std::vector<float> values = cluster_points(20, 4, 4);
    ThreadPool pool(1);
    UmapOptions options;
    options.n_neighbors = 1;
    EXPECT_FALSE(fit_umap({values, 4}, options, pool));
    options = {};
    options.min_dist = 2;
    EXPECT_FALSE(fit_umap({values, 4}, options, pool));
    options = {};
    options.learning_rate = std::numeric_limits<double>::quiet_NaN();
    EXPECT_FALSE(fit_umap({values, 4}, options, pool));
}

TEST(Umap, EndsWhenItIsToldTo) {
    const std::vector<float> values = cluster_points(2000, 4, 5);
    ThreadPool pool(2);
    int calls = 0;
    const auto fit = fit_umap({values, 4}, {}, pool, [&](std::string_view, double share) {
        EXPECT_GE(share, 0);
        EXPECT_LE(share, 1);
        return ++calls < 10;
    });
    ASSERT_FALSE(fit);
    EXPECT_EQ(fit.error().message, "interrupted");
    EXPECT_EQ(calls, 10);
}

TEST(MapQuality, OfTheIdentityIsOneAndOfChanceAboutAHalf) {
    const std::vector<float> values = cluster_points(2000, 2, 6);
    std::vector<Place> same, random;
    Rng rng(Seed{1});
    for (std::size_t i = 0; i < 2000; ++i) {
        same.push_back({values[2 * i], values[2 * i + 1]});
        random.push_back({bell(rng), bell(rng)});
    }
    ThreadPool pool(2);
    const MapQuality best = map_quality({values, 2}, Metric::Euclidean, same, 15, 2000, pool);
    EXPECT_NEAR(best.trustworthiness, 1, 1e-9);
    EXPECT_NEAR(best.recall, 1, 1e-9);
    const MapQuality worst = map_quality({values, 2}, Metric::Euclidean, random, 15, 2000, pool);
    EXPECT_NEAR(worst.trustworthiness, 0.5, 0.05);
    EXPECT_LT(worst.recall, 0.03);
}

}  // namespace
}  // namespace solis::atlas
