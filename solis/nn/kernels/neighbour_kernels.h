// Loops of the search for nearest neighbours, vectorised for the machine at hand.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>

namespace solis::nn {

// Sum of (a[i] - b[i])^2; both have the same length.
[[nodiscard]] float squared_distance(std::span<const float> a, std::span<const float> b);

inline constexpr std::size_t kScanGroup = 16;

// Looks for values above `floor` or above the entry of `floors` at the same place. Writes the
// starts of those groups of kScanGroup values that have one and returns their number. Both arrays
// hold groups * kScanGroup values; `starts` has room for `groups`.
[[nodiscard]] std::size_t find_groups_above(const float* values, float floor, const float* floors,
                                            std::size_t groups, std::uint32_t* starts);

}  // namespace solis::nn
