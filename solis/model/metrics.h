// How well scores agree with labels.
#pragma once
#include <cstddef>
#include <span>

namespace solis::model {

// Both lists have the same length and no NaN. The result is NaN where it is not defined: fewer
// than two pairs, or a list whose values are all equal.

// Correlation of ranks; equal values share the mean of their ranks.
[[nodiscard]] double spearman(std::span<const float> x, std::span<const float> y);
// Kendall's tau-b (corrected for ties) in O(n log n).
[[nodiscard]] double kendall_tau(std::span<const float> x, std::span<const float> y);

// Pairs of one group that two lists put into the same order, counted over groups. Equal labels make
// no pair; equal scores are half in order.
struct PairOrder {
    std::size_t pairs = 0;
    double in_order = 0;

    void add(std::span<const float> scores, std::span<const float> labels);
    // NaN without pairs.
    [[nodiscard]] double share() const;
};

// Mean distance between predicted and actual values. 0 for no samples.
[[nodiscard]] double mean_error(std::span<const float> predicted, std::span<const float> actual);

// Mean distance between predicted and actual probability over `bins` of equal width, weighted by
// their size. 0 for no samples.
[[nodiscard]] double expected_calibration_error(std::span<const float> predicted,
                                                std::span<const float> actual,
                                                std::size_t bins = 20);

}  // namespace solis::model
