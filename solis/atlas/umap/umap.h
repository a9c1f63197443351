// UMAP: a map on which points are near each other that are near in the space (McInnes, Healy and
// Melville, 2018).
#pragma once
#include <vector>

#include "solis/atlas/umap/fuzzy_set.h"
#include "solis/atlas/umap/options.h"

namespace solis::atlas {

struct UmapFit {
    std::vector<Place> places;
    Neighbours neighbours;  // n_neighbors - 1 per point, without itself
    bool exact = true;      // false where HNSW searched them
};

// The same for the same points, options and seed, whatever the number of threads. Takes any number
// of points from 1 on, duplicates included; refuses what check_points and check_options refuse.
// Seconds for 100,000 points.
[[nodiscard]] Result<UmapFit> fit_umap(PointsView points, const UmapOptions& options,
                                       ThreadPool& pool, const Watch& watch = {});

}  // namespace solis::atlas
