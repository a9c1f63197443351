// Inner loops of the integer swift network.
#pragma once
#include <cstddef>
#include <cstdint>

namespace solis::nn {

// A clamped value of 1 as an accumulator holds it, and as the activation multiplies it: the most
// that a 16-bit fixed-point product takes. Seven bits of activation would be faster, but swap four
// sibling positions in a hundred on a trained network.
inline constexpr int kAccumulatorOne = 2040;
inline constexpr int kActivationBits = 4;  // what the activation adds to the accumulator's
inline constexpr int kActivationOne = kAccumulatorOne << kActivationBits;
// What the activation makes of 1: kActivationOne^2 / 2^15, rounded.
inline constexpr int kActivationMax = (kActivationOne * kActivationOne + (1 << 14)) >> 15;

// Row numbers into a table.
struct RowChanges {
    const std::uint16_t* added;
    std::size_t added_count;
    const std::uint16_t* removed;
    std::size_t removed_count;
};
// Changes of a table of rows of integers.
template <class Integer>
struct TableChanges {
    const Integer* table;
    RowChanges rows;
};

// to[i] = from[i] + sum of added rows - sum of removed rows, of both tables, whose rows have
// `width` values, a multiple of 64.
void update_rows(const TableChanges<std::int16_t>& wide, const TableChanges<std::int8_t>& bytes,
                 std::size_t width, const std::int16_t* from, std::int16_t* to);

// out[i] = (v^2 + 2^14) >> 15 with v = clamp(sums[i], 0, kAccumulatorOne >> shift) << (shift +
// kActivationBits), for all of `width`.
void activate_squared(const std::int16_t* sums, std::size_t width, int shift, std::int16_t* out);
// The same with the product of v for sums[i] and v for sums[i + width / 2].
void activate_pairs(const std::int16_t* sums, std::size_t width, int shift, std::int16_t* out);

// y[j] = bias[j] + scale[j] * sum over k of x[k] * weight[k / 2][j][k % 2]. hidden: a multiple of
// 64 up to kMaxHidden, dims: a multiple of 8. No sum may leave 32 bits. x: 64-byte aligned.
inline constexpr std::size_t kMaxHidden = std::size_t{2} * 4096;
void output_layer(const std::int16_t* x, std::size_t hidden, const std::int16_t* weight,
                  const float* scale, const float* bias, std::size_t dims, float* y);

// <y, axis> / |y|.
[[nodiscard]] float cosine_with_unit(const float* y, const float* axis, std::size_t dims);

// One bit for each of 64 words in which a and b differ, or of which either has a bit of `mask`.
[[nodiscard]] std::uint64_t changed_words(const std::uint64_t* a, const std::uint64_t* b,
                                          std::uint64_t mask);

}  // namespace solis::nn
