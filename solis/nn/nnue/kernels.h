// Inner loops of the NNUE net.
#pragma once
#include <cstddef>
#include <cstdint>

namespace solis::nn {

// Rows of a table of int16 values [..][width].
struct NnueRows {
    const std::uint16_t* added;
    std::size_t added_count;
    const std::uint16_t* removed;
    std::size_t removed_count;
};

// to[i] = from[i] + added rows - removed rows for i < width, a multiple of 64. Everything is
// 64-byte aligned; `to` may be `from`.
void nnue_add_rows(const std::int16_t* table, std::size_t width, const std::int16_t* from,
                   const NnueRows& rows, std::int16_t* to);

// out[i] = clamp(sums[i], 0, 127) * clamp(sums[i + half], 0, 127) / 128 for i < half, a multiple of
// 64.
void nnue_multiply_halves(const std::int16_t* sums, std::size_t half, std::uint8_t* out);

// y[j] = bias[j] + sum over k of x[k] * weight[k / 4][j][k % 4] for 16 or 32 outputs. x is at most
// 127 everywhere; depth is a multiple of 64 for 16 outputs and 32 for 32 outputs. Everything is
// 64-byte aligned but the bias.
void nnue_layer16(const std::uint8_t* x, std::size_t depth, const std::int8_t* weight,
                  const std::int32_t* bias, std::int32_t* y);
void nnue_layer32(const std::uint8_t* x, const std::int8_t* weight, const std::int32_t* bias,
                  std::int32_t* y);

}  // namespace solis::nn
