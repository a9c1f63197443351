// Newton-Schulz iteration towards equal singular values.
#include "solis/nn/orthogonal.h"

#include <algorithm>
#include <cmath>

#include "solis/nn/kernels/gemm.h"

namespace solis::nn {
namespace {

constexpr int kIterations = 5;
// x -> a x + b x^3 + c x^5, chosen by the authors of Muon to lift small singular values fast; it
// ends near 1, not at it.
constexpr float kLinear = 3.4445f, kCubic = -4.7750f, kQuintic = 2.0315f;

void to_unit_length(std::span<float> x) {
    double squares = 0;
    for (const float value : x) squares += static_cast<double>(value * value);
    const auto scale = static_cast<float>(1 / (std::sqrt(squares) + 1e-12));
    for (float& value : x) value *= scale;
}

// From a Gram matrix and its square.
void make_polynomial(std::span<const float> gram, std::span<float> square) {
    for (std::size_t k = 0; k < gram.size(); ++k) {
        square[k] = kCubic * gram[k] + kQuintic * square[k];
    }
}

}  // namespace

void orthogonalize(std::span<float> x, std::size_t rows, std::size_t cols,
                   OrthogonalScratch& scratch) {
    to_unit_length(x);
    // The smaller of the two Gram matrices, x x^T or x^T x.
    const bool wide = rows <= cols;
    const std::size_t small = std::min(rows, cols);
    AlignedVector<float>& gram = scratch.gram;
    AlignedVector<float>& polynomial = scratch.polynomial;
    gram.resize(small * small);
    polynomial.resize(small * small);
    scratch.next.resize(x.size());
    for (int i = 0; i < kIterations; ++i) {
        const MatrixView plain{x.data(), cols}, transposed{x.data(), cols, true};
        gemm(small, small, wide ? cols : rows, wide ? plain : transposed, wide ? transposed : plain,
             gram.data(), small, Into::Overwrite);
        gemm(small, small, small, {gram.data(), small}, {gram.data(), small}, polynomial.data(),
             small, Into::Overwrite);
        make_polynomial(gram, polynomial);
        for (std::size_t k = 0; k < small; ++k) polynomial[k * small + k] += kLinear;
        const MatrixView factor{polynomial.data(), small};
        gemm(rows, cols, small, wide ? factor : plain, wide ? plain : factor, scratch.next.data(),
             cols, Into::Overwrite);
        std::copy(scratch.next.begin(), scratch.next.end(), x.begin());
    }
}

// Works on the tall one of x and its transpose, in panels.
void orthogonalize_bf16(std::span<float> x, std::size_t rows, std::size_t cols,
                        OrthogonalScratch& scratch) {
    to_unit_length(x);
    const bool wide = rows < cols;
    const std::size_t large = std::max(rows, cols), small = std::min(rows, cols);
    scratch.x.resize(large * small);
    scratch.next.resize(large * small);
    scratch.gram.resize(small * small);
    scratch.polynomial.resize(small * small);
    const Panels tall{scratch.x.data(), large, small};
    const Panels given{wide ? scratch.next.data() : scratch.x.data(), rows, cols};
    const Panels gram{scratch.gram.data(), small, small};
    const Panels polynomial{scratch.polynomial.data(), small, small};
    to_panels(x.data(), cols, given);
    if (wide) transpose(given, tall);
    const Bf16Rows tall_rows = scratch.rows.rows(large, small);
    const Bf16Pairs tall_pairs = scratch.pairs.pairs(large, small);
    const Bf16Rows gram_rows = scratch.small_rows.rows(small, small);
    const Bf16Pairs small_pairs = scratch.small_pairs.pairs(small, small);
    for (int i = 0; i < kIterations; ++i) {
        to_bf16(tall, tall_rows, tall_pairs);
        multiply_transposed(tall_pairs, tall_pairs, gram, Into::Overwrite);
        to_bf16(gram, gram_rows, small_pairs);
        multiply(gram_rows, small_pairs, nullptr, polynomial, Into::Overwrite);
        make_polynomial(scratch.gram, scratch.polynomial);
        for (std::size_t k = 0; k < small; ++k) polynomial.at(k, k) += kLinear;
        to_bf16(polynomial, small_pairs);
        multiply(tall_rows, small_pairs, nullptr, tall, Into::Overwrite);
    }
    if (wide) transpose(tall, given);
    from_panels(given, x.data(), cols);
}

}  // namespace solis::nn
