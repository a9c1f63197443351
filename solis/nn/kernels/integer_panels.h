// Products of 16-bit integers for inference: rows of activations and columns of weights are scaled
// into integers, products are summed exactly in 32 bits and scaled back. Half the bytes of floats
// and up to twice their speed; values keep 12 to 13 bits.
#pragma once
#include <cstdint>

#include "solis/base/aligned.h"
#include "solis/nn/kernels/panels.h"

namespace solis::nn {

inline constexpr float kLargestInteger = 32767;
// The length of a row or of a column within a depth block: no sum of products can be larger than
// the product of both lengths, which fits in 32 bits. Rounding makes vectors longer by 8 at most.
inline constexpr float kLongestIntegers = 46330;
inline constexpr std::size_t kIntegerDepthBlock = 256;

// Row-major; row r stands for scales[r] times its integers. cols is a multiple of 16.
struct IntegerRows {
    std::int16_t* data;
    float* scales;
    std::size_t rows;
    std::size_t cols;
};

// `to` has the size of `from`.
void quantize_rows(ConstPanels from, IntegerRows to);

// The right-hand side of a product.
class IntegerMatrix {
  public:
    // b.rows is a multiple of 16.
    void pack(ConstPanels b);

    [[nodiscard]] bool empty() const { return values_.empty(); }
    [[nodiscard]] std::size_t depth() const { return depth_; }
    [[nodiscard]] std::size_t cols() const { return scales_.size(); }
    // [cols / 16][depth / 2][16][2]: pairs along the depth, as the kernel multiplies them.
    [[nodiscard]] const std::int16_t* values() const { return values_.data(); }
    // Column c stands for scales[c] times its integers.
    [[nodiscard]] const float* scales() const { return scales_.data(); }

  private:
    std::size_t depth_ = 0;
    AlignedVector<std::int16_t> values_;
    AlignedVector<float> scales_;  // of whole panels
};

// c = a * b + bias (one per column, may be null).
void multiply(const IntegerRows& a, const IntegerMatrix& b, const float* bias, Panels c);

}  // namespace solis::nn
