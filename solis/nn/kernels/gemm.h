// Single-precision matrix products on one core, the work horse of training.
#pragma once
#include <cstddef>
#include <vector>

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

// The right-hand side of a product in the order in which the kernel reads it. Packing costs about
// as much as multiplying a few rows, so what meets many blocks of rows is packed once.
class PackedMatrix {
  public:
    void pack(std::size_t depth, std::size_t cols, MatrixView b);

    [[nodiscard]] std::size_t depth() const { return depth_; }
    [[nodiscard]] std::size_t cols() const { return cols_; }
    [[nodiscard]] const float* values() const { return values_.data(); }

  private:
    std::size_t depth_ = 0, cols_ = 0;
    std::vector<float> values_;  // [depth blocks][panels of columns][depth in block][tile]
};

// The same product with b packed.
void gemm(std::size_t rows, MatrixView a, const PackedMatrix& b, float* c, std::size_t c_stride,
          Into into);

// Vector lanes of the kernel that this machine runs, 8 on AVX2.
[[nodiscard]] std::size_t float_lanes();

// The same by plain loops in double precision: the definition of correct, for tests.
void gemm_reference(std::size_t rows, std::size_t cols, std::size_t depth, MatrixView a,
                    MatrixView b, float* c, std::size_t c_stride, Into into);

}  // namespace solis::nn
