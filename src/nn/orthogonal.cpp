// Newton-Schulz iteration towards equal singular values.
#include "nn/orthogonal.h"

#include <algorithm>
#include <cmath>

#include "nn/gemm.h"

namespace solis::nn {
namespace {

constexpr int kIterations = 5;
// x -> a x + b x^3 + c x^5, chosen by the authors of Muon to lift small singular values fast; it
// ends near 1, not at it.
constexpr float kLinear = 3.4445f, kCubic = -4.7750f, kQuintic = 2.0315f;

}  // namespace

void orthogonalize(std::span<float> x, std::size_t rows, std::size_t cols,
                   OrthogonalScratch& scratch) {
    double squares = 0;
    for (const float value : x) squares += static_cast<double>(value * value);
    const auto scale = static_cast<float>(1 / (std::sqrt(squares) + 1e-12));
    for (float& value : x) value *= scale;
    // The smaller of the two Gram matrices, x x^T or x^T x.
    const bool wide = rows <= cols;
    const std::size_t small = std::min(rows, cols);
    std::vector<float>& gram = scratch.gram;
    std::vector<float>& polynomial = scratch.polynomial;
    gram.resize(small * small);
    polynomial.resize(small * small);
    scratch.next.resize(x.size());
    for (int i = 0; i < kIterations; ++i) {
        const MatrixView plain{x.data(), cols}, transposed{x.data(), cols, true};
        gemm(small, small, wide ? cols : rows, wide ? plain : transposed, wide ? transposed : plain,
             gram.data(), small, Into::Overwrite);
        gemm(small, small, small, {gram.data(), small}, {gram.data(), small}, polynomial.data(),
             small, Into::Overwrite);
        for (std::size_t k = 0; k < gram.size(); ++k) {
            polynomial[k] = kCubic * gram[k] + kQuintic * polynomial[k];
        }
        for (std::size_t k = 0; k < small; ++k) polynomial[k * small + k] += kLinear;
        const MatrixView factor{polynomial.data(), small};
        gemm(rows, cols, small, wide ? factor : plain, wide ? plain : factor, scratch.next.data(),
             cols, Into::Overwrite);
        std::copy(scratch.next.begin(), scratch.next.end(), x.begin());
    }
}

}  // namespace solis::nn
