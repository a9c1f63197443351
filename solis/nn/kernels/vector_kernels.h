// Element-wise loops of training and inference in float, vectorised for the machine at hand.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>

namespace solis::nn {

// out[i] = start[i] + sum over `rows`, in their order, of table[row * stride + i], for i in
// [0, count).
void sum_rows(const float* table, std::size_t stride, std::span<const std::uint16_t> rows,
              const float* start, std::size_t count, float* out);
void sum_rows(const float* table, std::size_t stride, std::span<const std::uint32_t> rows,
              const float* start, std::size_t count, float* out);

// x[i] = min(max(x[i], 0), 1).
void clamp_to_unit(std::span<float> x);

// Squared clipped ReLU of values already clamped, and its gradient, which is 0 at both ends.
void square(std::span<const float> clamped, float* out);
void square_backward(std::span<const float> clamped, std::span<const float> d_out, float* d_x);
// out[i] = clamped[i] * clamped[i + half], for i in [0, half).
void multiply_pairs(std::span<const float> clamped, float* out);
void multiply_pairs_backward(std::span<const float> clamped, std::span<const float> d_out,
                             float* d_x);

[[nodiscard]] float dot(std::span<const float> a, std::span<const float> b);
// y[i] += factor * x[i].
void add_scaled(float factor, std::span<const float> x, float* y);

}  // namespace solis::nn
