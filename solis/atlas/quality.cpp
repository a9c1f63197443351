// Trustworthiness and neighbour recall from ranks.
#include "solis/atlas/quality.h"

#include <algorithm>
#include <numeric>

#include "solis/nn/kernels/neighbour_kernels.h"

namespace solis::atlas {
namespace {

using Ranked = std::pair<float, std::uint32_t>;  // distance, point; orders ties by index

// The k smallest, sorted.
std::vector<Ranked> nearest(std::vector<Ranked> all, std::size_t k) {
    const auto middle = all.begin() + static_cast<std::ptrdiff_t>(k);
    std::partial_sort(all.begin(), middle, all.end());
    all.resize(k);
    return all;
}

struct PointQuality {
    double excess = 0;  // ranks beyond k of the neighbours on the map
    double kept = 0;    // neighbours in the space that are neighbours on the map
};

PointQuality judge(const std::vector<float>& rows, std::size_t dims, std::span<const Place> places,
                   std::size_t k, std::size_t i) {
    std::vector<Ranked> space, plane;
    std::vector<float> distance(places.size());
    for (std::size_t j = 0; j < places.size(); ++j) {
        if (j == i) continue;
        distance[j] = nn::squared_distance(std::span(rows).subspan(i * dims, dims),
                                           std::span(rows).subspan(j * dims, dims));
        const float dx = places[j].x - places[i].x, dy = places[j].y - places[i].y;
        space.emplace_back(distance[j], static_cast<std::uint32_t>(j));
        plane.emplace_back(dx * dx + dy * dy, static_cast<std::uint32_t>(j));
    }
    PointQuality quality;
    const std::vector<Ranked> near_plane = nearest(std::move(plane), k);
    const Ranked last = nearest(space, k).back();
    for (const auto& [_, j] : near_plane) {
        const Ranked self(distance[j], j);
        if (self <= last) {
            quality.kept += 1;
            continue;
        }
        const auto rank =
            1 + std::ranges::count_if(space, [&](const Ranked& r) { return r < self; });
        quality.excess += static_cast<double>(rank) - static_cast<double>(k);
    }
    return quality;
}

}  // namespace

MapQuality map_quality_of(PointsView points, Metric metric, std::span<const Place> places,
                          std::size_t k, std::span<const std::size_t> which, ThreadPool& pool) {
    const std::size_t n = places.size();
    // The scale of trustworthiness is defined for k below half of the points.
    k = std::min(k, n < 4 ? 0 : (n - 1) / 2);
    if (k == 0 || which.empty()) return {};
    const std::vector<float> rows = prepared_rows(points, metric);
    std::vector<PointQuality> judged(which.size());
    pool.run(which.size(),
             [&](std::size_t s) { judged[s] = judge(rows, points.dims, places, k, which[s]); });
    double excess = 0, kept = 0;
    for (const PointQuality& one : judged) excess += one.excess, kept += one.kept;
    const auto asked = static_cast<double>(which.size()), neighbours = static_cast<double>(k);
    const double scale =
        2 / (asked * neighbours * (2 * static_cast<double>(n) - 3 * neighbours - 1));
    return {1 - scale * excess, kept / (asked * neighbours), which.size()};
}

MapQuality map_quality(PointsView points, Metric metric, std::span<const Place> places,
                       std::size_t k, std::size_t sample, ThreadPool& pool) {
    sample = std::min(sample, places.size());
    std::vector<std::size_t> which(sample);
    for (std::size_t s = 0; s < sample; ++s) which[s] = s * places.size() / sample;
    return map_quality_of(points, metric, places, k, which, pool);
}

}  // namespace solis::atlas
