// The nearest matrix with equal singular values, roughly: what the optimiser Muon makes of a
// gradient, so that no direction is learnt faster than the others.
#pragma once
#include <cstddef>
#include <span>
#include <vector>

#include "solis/nn/kernels/bf16_panels.h"

namespace solis::nn {

// Working memory of one call, kept from one to the next.
struct OrthogonalScratch {
    AlignedVector<float> x, gram, polynomial, next;
    Bf16Memory rows, pairs, small_rows, small_pairs;
};

// Replaces x (rows x cols) by a matrix with the same singular vectors, all of whose singular values
// that were not tiny lie between 0.7 and 1.2: five steps of a Newton-Schulz iteration, which need
// products only. A zero matrix stays zero.
void orthogonalize(std::span<float> x, std::size_t rows, std::size_t cols,
                   OrthogonalScratch& scratch);
// The same with products of bfloat16, which is enough for a direction; both sizes are multiples of
// 16.
void orthogonalize_bf16(std::span<float> x, std::size_t rows, std::size_t cols,
                        OrthogonalScratch& scratch);

}  // namespace solis::nn
