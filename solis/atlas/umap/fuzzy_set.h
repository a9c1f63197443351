// The fuzzy simplicial set: how strongly each point is tied to its neighbours.
#pragma once
#include <cstdint>
#include <vector>

#include "solis/atlas/neighbours/neighbours.h"
#include "solis/base/thread_pool.h"

namespace solis::atlas {

// How one point sees its neighbours: the nearest at another place has distance 0, and the width is
// such that exp(-(d - nearest) / width) sums to log2 of their number, the point itself included.
struct LocalScale {
    float nearest = 0;
    float width = 1;
};

// `mean` is the mean of all distances, from which the least width follows.
[[nodiscard]] LocalScale local_scale(std::span<const float> distances, double mean);
// The same for a point that is not one of the others: no distance counts as 0 but 0.
[[nodiscard]] LocalScale scale_from_zero(std::span<const float> distances);
[[nodiscard]] float membership(float distance, const LocalScale& scale);
[[nodiscard]] double mean_of(std::span<const float> distances);

// A symmetric sparse matrix by rows: row i has the entries [begin[i], begin[i + 1]), in the order
// of their columns.
struct FuzzySet {
    std::vector<std::size_t> begin;  // rows + 1
    std::vector<std::uint32_t> column;
    std::vector<float> strength;  // in (0, 1]
};

// a + b - a b of what two points make of each other.
[[nodiscard]] FuzzySet fuzzy_set(const Neighbours& neighbours, ThreadPool& pool);

}  // namespace solis::atlas
