// Centipawns and the win probability they stand for.
#pragma once
#include <cmath>

namespace solis::chess {

// The slope of ChessBench, the paper and Lichess: p = 1 / (1 + exp(-slope * centipawns)).
inline constexpr double kLogisticSlope = 0.00368208;

[[nodiscard]] inline double probability_of(double centipawns) {
    return 1 / (1 + std::exp(-kLogisticSlope * centipawns));
}
// The inverse, for p between 0 and 1.
[[nodiscard]] inline double centipawns_at(double p) {
    return std::log(p / (1 - p)) / kLogisticSlope;
}

}  // namespace solis::chess
