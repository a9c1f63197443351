// Where the points stand before the layout begins.
#pragma once
#include <vector>

#include "solis/atlas/umap/fuzzy_set.h"
#include "solis/atlas/umap/options.h"

namespace solis::atlas {

// Two principal components, or two smooth functions on the graph of ties (eigenvectors of its
// Laplacian), within +-10 and with a little noise so that no two points coincide.
[[nodiscard]] std::vector<Place> starting_places(PointsView points, const FuzzySet& set,
                                                 const UmapOptions& options, ThreadPool& pool);

}  // namespace solis::atlas
