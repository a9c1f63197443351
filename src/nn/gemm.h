// Single-precision matrix products on one core, the work horse of training.
#pragma once
#include <cstddef>

namespace solis::nn {

// A row-major view. `transposed` means the product uses the transpose of what is stored.
struct MatrixView {
    const float* data;
    std::size_t stride;  // floats from one stored row to the next
    bool transposed = false;
};

enum class Into { Overwrite, Add };

// c (rows x cols, row-major with `c_stride`) = or += a (rows x depth) * b (depth x cols).
// c must not overlap a or b. Every element is summed in the same order, whatever the other sizes.
void gemm(std::size_t rows, std::size_t cols, std::size_t depth, MatrixView a, MatrixView b,
          float* c, std::size_t c_stride, Into into);

// Vector lanes of the kernel that this machine runs, 8 on AVX2.
[[nodiscard]] std::size_t float_lanes();

// The same by plain loops in double precision: the definition of correct, for tests.
void gemm_reference(std::size_t rows, std::size_t cols, std::size_t depth, MatrixView a,
                    MatrixView b, float* c, std::size_t c_stride, Into into);

}  // namespace solis::nn
