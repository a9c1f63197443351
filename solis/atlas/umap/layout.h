// Moving points about the plane until near ones are those that are tied to each other.
#pragma once
#include <vector>

#include "solis/atlas/umap/curve.h"
#include "solis/atlas/umap/fuzzy_set.h"
#include "solis/atlas/umap/options.h"

namespace solis::atlas {

// Stochastic gradient descent over the ties, as in umap-learn: a tie of strength s is drawn in a
// share s / largest of the epochs; each time both of its points approach, and each is driven away
// from a few points drawn at random.
//
// Every point is moved by one task only, which draws from a generator seeded with epoch and point
// and reads all others as they were when its phase began. So the result is the same for any number
// of threads, and no locks are needed.
[[nodiscard]] Result<void> lay_out(const FuzzySet& set, const UmapOptions& options,
                                   std::vector<Place>& places, ThreadPool& pool,
                                   const Watch& watch);

// A point that is tied to places which do not move.
struct Tie {
    std::uint32_t to = 0;
    float strength = 0;
};

// Where such a point comes to rest: starts at the weighted mean of its ties and takes part in
// `epochs` of the same descent. The same for the same input, whatever else is placed.
[[nodiscard]] Place settle(std::span<const Tie> ties, std::span<const Place> map,
                           const Forces& forces, const UmapOptions& options, std::size_t epochs);

}  // namespace solis::atlas
