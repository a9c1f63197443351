// Points for tests: clusters on a sphere, the same for the same seed.
#pragma once
#include <cmath>
#include <vector>

#include "solis/base/rng.h"

namespace solis::atlas {

// A quarter of the points where sanitizers make each of them slow.
constexpr std::size_t fewer_if_sanitized(std::size_t points) {
#ifdef SOLIS_SANITIZED
    return points / 4;
#else
    return points;
#endif
}

// Roughly normal: the sum of some uniform numbers.
inline float bell(Rng& rng) {
    double sum = -3;
    for (int i = 0; i < 6; ++i) sum += rng.unit();
    return static_cast<float>(sum);
}

inline std::vector<float> cluster_points(std::size_t rows, std::size_t dims, std::uint64_t seed,
                                         std::size_t clusters = 10, float width = 0.3f) {
    Rng rng(Seed{seed});
    std::vector<float> centers(clusters * dims), points(rows * dims);
    for (float& value : centers) value = bell(rng);
    for (std::size_t i = 0; i < rows; ++i) {
        for (std::size_t d = 0; d < dims; ++d) {
            points[i * dims + d] = centers[i % clusters * dims + d] + width * bell(rng);
        }
    }
    return points;
}

}  // namespace solis::atlas
