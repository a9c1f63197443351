// Principal components: the orthogonal directions in which points spread most.
#pragma once
#include <vector>

#include "solis/atlas/points.h"
#include "solis/base/thread_pool.h"

namespace solis::atlas {

// Directions have length 1, strongest first; the entry of largest magnitude is positive. Points
// without spread in a direction still get one.
struct Pca {
    std::vector<float> mean;                     // dims
    std::vector<std::vector<float>> directions;  // each dims
    std::vector<double> variances;               // along them
    double total_variance = 0;
};

// The first `count` components, at most as many as there are dimensions; those of what is left when
// the part along `without` (of length 1, or empty) is taken out of every point.
[[nodiscard]] Pca principal_components(PointsView points, std::size_t count, ThreadPool& pool,
                                       std::span<const float> without = {});

// Two linear coordinates of a point: a map that is made without fitting.
struct Projection {
    std::vector<float> origin;  // what lies at (0, 0)
    std::vector<float> x_direction;
    std::vector<float> y_direction;

    [[nodiscard]] Place operator()(std::span<const float> point) const;
    friend bool operator==(const Projection&, const Projection&) = default;
};

// Both components, or where the points have one dimension only, that one and nothing.
[[nodiscard]] Projection pca_projection(PointsView points, ThreadPool& pool);
// The axis, of length 1, to the right against the strongest direction orthogonal to it; the origin
// is the zero of the axis and the mean otherwise.
[[nodiscard]] Projection axis_projection(PointsView points, std::span<const float> axis,
                                         ThreadPool& pool);

[[nodiscard]] std::vector<Place> project(PointsView points, const Projection& projection,
                                         ThreadPool& pool);

}  // namespace solis::atlas
