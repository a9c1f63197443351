// The nearest neighbours of every point among all others.
#pragma once
#include <cstdint>
#include <vector>

#include "solis/atlas/points.h"
#include "solis/base/rng.h"
#include "solis/base/thread_pool.h"

namespace solis::atlas {

// `count` neighbours of each row, nearest first; equal distances in the order of their indices. No
// point is its own neighbour. Fewer than asked for only where there are fewer points.
struct Neighbours {
    std::size_t count = 0;             // per row
    std::vector<std::uint32_t> index;  // rows x count
    std::vector<float> distance;       // rows x count, in the metric

    [[nodiscard]] std::span<const std::uint32_t> indices(std::size_t row) const {
        return std::span(index).subspan(row * count, count);
    }
    [[nodiscard]] std::span<const float> distances(std::size_t row) const {
        return std::span(distance).subspan(row * count, count);
    }
};

// Compares all pairs, each once. The points have passed check_points. The result does not depend on
// the number of threads. 100,000 points of 32 dimensions take seconds on two cores; the work grows
// with the square of the number of points.
[[nodiscard]] Result<Neighbours> exact_neighbours(PointsView points, Metric metric,
                                                  std::size_t count, ThreadPool& pool,
                                                  const Watch& watch = {});

struct HnswOptions {
    std::size_t links = 16;          // per node and layer (M)
    std::size_t build_effort = 100;  // candidates kept while building (ef_construction)
    std::size_t search_effort = 60;  // candidates kept while searching (ef)
    std::size_t shard = 250'000;     // points of one graph
    Seed seed{1};
};

// The same by graphs that are searched greedily (hierarchical navigable small worlds), for more
// points than can be compared in pairs; some neighbours are missed. The points are split into
// shards of fixed size, each a graph built by one thread in order, and every point asks all of
// them: therefore this result does not depend on the number of threads either.
[[nodiscard]] Result<Neighbours> hnsw_neighbours(PointsView points, Metric metric,
                                                 std::size_t count, const HnswOptions& options,
                                                 ThreadPool& pool, const Watch& watch = {});

// Where the one ends and the other begins, unless told otherwise.
inline constexpr std::size_t kExactLimit = 100'000;

// Share of the true nearest neighbours that `found` has, measured on about `sample` rows spread
// evenly over all. Points without true neighbours give 1.
[[nodiscard]] double neighbour_recall(PointsView points, Metric metric, const Neighbours& found,
                                      std::size_t sample, ThreadPool& pool);

}  // namespace solis::atlas
