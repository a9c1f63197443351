// Inner loops of the integer swift network.
#pragma once
#include <cstddef>
#include <cstdint>

namespace solis::nn {

// A clamped value of 1 before the activation. Its square, divided by 2^15 and rounded as the
// machine's fixed-point product does it, is 127: activations need 7 bits, and two products of them
// with int8 weights fit in 16 bits.
inline constexpr int kActivationOne = 2040;
inline constexpr int kActivationMax = 127;

// Row numbers into a table of rows of `width` int16 values.
struct RowChanges {
    const std::uint16_t* added;
    std::size_t added_count;
    const std::uint16_t* removed;
    std::size_t removed_count;
};

// to[i] = from[i] + sum of added rows - sum of removed rows. width: a multiple of 64.
void update_rows(const std::int16_t* table, std::size_t width, const std::int16_t* from,
                 const RowChanges& changes, std::int16_t* to);

// out[i] = ((clamp(sums[i]) << shift)^2 + 2^14) >> 15, for all of `width`.
void activate_squared(const std::int16_t* sums, std::size_t width, int shift, std::uint8_t* out);
// The same with (clamp(sums[i]) << shift) * (clamp(sums[i + width / 2]) << shift).
void activate_pairs(const std::int16_t* sums, std::size_t width, int shift, std::uint8_t* out);

// y[j] = bias[j] + scale[j] * sum over k of x[k] * weight[k / 4][j][k % 4]. dims: a multiple of 8.
void output_layer(const std::uint8_t* x, std::size_t hidden, const std::int8_t* weight,
                  const float* scale, const float* bias, std::size_t dims, float* y);

// <y, axis> / |y|.
[[nodiscard]] float cosine_with_unit(const float* y, const float* axis, std::size_t dims);

}  // namespace solis::nn
