// How well a map keeps the neighbourhoods of the space.
#pragma once
#include "solis/atlas/points.h"
#include "solis/base/thread_pool.h"

namespace solis::atlas {

struct MapQuality {
    // 1 minus how far away in the space the neighbours on the map are, in ranks, scaled to [0, 1]
    // (Venna and Kaski); a random map has about 0.5.
    double trustworthiness = 1;
    // Share of the nearest neighbours in the space that are among as many nearest on the map.
    double recall = 1;
    std::size_t sample = 0;  // points on which it was measured, among all
};

// With `k` neighbours, fewer where there are few points. Measured on about `sample` points spread
// evenly over all: each costs as much as sorting all the others.
[[nodiscard]] MapQuality map_quality(PointsView points, Metric metric,
                                     std::span<const Place> places, std::size_t k,
                                     std::size_t sample, ThreadPool& pool);

// The same, asked only about the points `which`.
[[nodiscard]] MapQuality map_quality_of(PointsView points, Metric metric,
                                        std::span<const Place> places, std::size_t k,
                                        std::span<const std::size_t> which, ThreadPool& pool);

}  // namespace solis::atlas
