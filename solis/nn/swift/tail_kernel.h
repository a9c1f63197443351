// The tail of the swift network for one position, in float: a second hidden layer.
#pragma once
#include <cstddef>

namespace solis::nn {

// Matrices of one bucket. dims: a multiple of 8, tail: a multiple of 16, both at most 1,024.
struct TailMatrices {
    const float* weight;  // [dims][tail]
    const float* bias;    // [tail]
    const float* output;  // [tail][dims]
    std::size_t dims;
    std::size_t tail;
};

// y becomes u + square(clamp(u x weight + bias, 0, 1)) x output, where u is y divided by its
// length.
void add_tail(const TailMatrices& matrices, float* y);

}  // namespace solis::nn
