// Exact and approximate neighbours.
#include "solis/atlas/neighbours/neighbours.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <gtest/gtest.h>

#include "solis/atlas/neighbours/near_index.h"
#include "tests/atlas/random_points.h"

namespace solis::atlas {
namespace {

double plain_distance(std::span<const float> a, std::span<const float> b, Metric metric) {
    double ab = 0, aa = 0, bb = 0, difference = 0;
    for (std::size_t d = 0; d < a.size(); ++d) {
        const auto x = static_cast<double>(a[d]), y = static_cast<double>(b[d]);
        ab += x * y, aa += x * x, bb += y * y, difference += (x - y) * (x - y);
    }
    return metric == Metric::Cosine ? 1 - ab / std::sqrt(aa * bb) : std::sqrt(difference);
}

std::vector<std::pair<double, std::uint32_t>> plain_neighbours(PointsView points, Metric metric,
                                                               std::size_t i) {
    std::vector<std::pair<double, std::uint32_t>> all;
    for (std::size_t j = 0; j < points.rows(); ++j) {
        if (j == i) continue;
        all.emplace_back(plain_distance(points.row(i), points.row(j), metric),
                         static_cast<std::uint32_t>(j));
    }
    std::ranges::sort(all);
    return all;
}

TEST(ExactNeighbours, AreThoseOfPlainLoops) {
    // Less than a block, one block, an even and an odd number of blocks with a rest.
#ifdef SOLIS_SANITIZED
    constexpr std::array<std::size_t, 4> kRows{2, 17, 1024, 2100};
#else
    constexpr std::array<std::size_t, 5> kRows{2, 17, 1024, 2100, 3500};
#endif
    ThreadPool pool(2);
    for (const Metric metric : {Metric::Cosine, Metric::Euclidean}) {
        for (const std::size_t rows : kRows) {
            for (const std::size_t dims : {1u, 5u, 33u}) {
                if (dims == 1 && metric == Metric::Cosine) continue;
                const std::vector<float> values = cluster_points(rows, dims, 3);
                const PointsView points{values, dims};
                const auto found = exact_neighbours(points, metric, 6, pool);
                ASSERT_TRUE(found);
                for (std::size_t i = 0; i < rows; i += 1 + rows / 60) {
                    const auto plain = plain_neighbours(points, metric, i);
                    for (std::size_t n = 0; n < found->count; ++n) {
                        EXPECT_NE(found->indices(i)[n], i);
                        EXPECT_NEAR(static_cast<double>(found->distances(i)[n]), plain[n].first,
                                    2e-6)
                            << name_of(metric) << ' ' << rows << 'x' << dims << " row " << i;
                    }
                }
            }
        }
    }
}

TEST(ExactNeighbours, AreTheSameForAnyNumberOfThreads) {
    const std::vector<float> values = cluster_points(5000, 8, 4);
    ThreadPool one(1), four(4);
    const auto a = exact_neighbours({values, 8}, Metric::Cosine, 15, one);
    const auto b = exact_neighbours({values, 8}, Metric::Cosine, 15, four);
    EXPECT_EQ(a->index, b->index);
    EXPECT_EQ(a->distance, b->distance);
}

TEST(ExactNeighbours, AreAccurateFarFromTheOrigin) {
    std::vector<float> values = cluster_points(500, 4, 5);
    for (float& value : values) value += 1000;
    const PointsView points{values, 4};
    ThreadPool pool(1);
    const auto found = exact_neighbours(points, Metric::Euclidean, 5, pool);
    for (std::size_t i = 0; i < 500; i += 50) {
        const auto plain = plain_neighbours(points, Metric::Euclidean, i);
        for (std::size_t n = 0; n < 5; ++n) {
            EXPECT_NEAR(static_cast<double>(found->distances(i)[n]), plain[n].first, 1e-3);
        }
    }
}

TEST(HnswNeighbours, FindMostAndDoNotDependOnThreads) {
    const std::vector<float> values = cluster_points(fewer_if_sanitized(6000), 12, 6, 40, 0.8f);
    const PointsView points{values, 12};
    HnswOptions options;
    options.shard = fewer_if_sanitized(2500);
    ThreadPool one(1), three(3);
    const auto a = hnsw_neighbours(points, Metric::Cosine, 15, options, one);
    const auto b = hnsw_neighbours(points, Metric::Cosine, 15, options, three);
    ASSERT_TRUE(a && b);
    EXPECT_EQ(a->index, b->index);
    EXPECT_GT(neighbour_recall(points, Metric::Cosine, *a, 500, three), 0.97);
}

TEST(NeighbourRecall, OfTheTruthIsOneAndOfStrangersAboutZero) {
    const std::vector<float> values = cluster_points(3000, 6, 7);
    const PointsView points{values, 6};
    ThreadPool pool(2);
    auto found = exact_neighbours(points, Metric::Euclidean, 10, pool);
    EXPECT_DOUBLE_EQ(neighbour_recall(points, Metric::Euclidean, *found, 200, pool), 1);
    std::rotate(found->index.begin(), found->index.begin() + 15'000, found->index.end());
    EXPECT_LT(neighbour_recall(points, Metric::Euclidean, *found, 200, pool), 0.1);
}

TEST(NearIndex, FindsWhatAScanFinds) {
    const std::vector<float> values = cluster_points(fewer_if_sanitized(9000), 10, 8, 50, 0.7f);
    const std::vector<float> asked = cluster_points(200, 10, 8, 50, 0.9f);
    const PointsView points{values, 10};
    ThreadPool pool(2);
    const auto graph = exact_neighbours(points, Metric::Cosine, 14, pool);
    const NearIndex index(points, Metric::Cosine, graph->index, graph->count, pool);
    std::size_t hits = 0;
    for (std::size_t q = 0; q < 200; ++q) {
        const std::span<const float> point = std::span(asked).subspan(q * 10, 10);
        std::vector<double> plain;
        for (std::size_t j = 0; j < points.rows(); ++j) {
            plain.push_back(plain_distance(point, points.row(j), Metric::Cosine));
        }
        std::ranges::sort(plain);
        for (const NearIndex::Hit& hit : index.nearest(point, 15)) {
            hits += static_cast<double>(hit.distance) <= plain[14] + 1e-6 ? 1 : 0;
        }
    }
    EXPECT_GT(static_cast<double>(hits) / (200 * 15), 0.98);
}

}  // namespace
}  // namespace solis::atlas
