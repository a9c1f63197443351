// Inner loops of the quantised tail.
#pragma once
#include <cstddef>
#include <cstdint>

namespace solis::nn {

// What 1 is as an input and as a hidden value of the tail.
inline constexpr int kTailBits = 14;
inline constexpr int kTailOne = 1 << kTailBits;

// Matrices of one bucket. dims: a multiple of 8, tail: a multiple of 16, both at most 1,024. No sum
// may leave 32 bits.
struct TailMatrices {
    const std::int16_t* weight;  // [dims / 2][tail][2], multiplied by 2^shift
    const std::int32_t* bias;    // [tail], multiplied by 2^shift * kTailOne
    int shift;
    const std::int16_t* output;  // [tail / 2][dims][2]
    const float* output_scale;   // [dims]: what makes floats of the sums of a column
    std::size_t dims;
    std::size_t tail;
};

// y becomes u + square(clamp(u x weight + bias, 0, 1)) x output, where u is y divided by its
// length.
void add_tail(const TailMatrices& matrices, float* y);

}  // namespace solis::nn
