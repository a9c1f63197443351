// Products of 8-bit integers for inference where AVX-512 VNNI makes them twice as fast as those of
// 16 bits: rows of activations have 256 steps from their least to their largest value, columns of
// weights 255. Sums are exact.
#pragma once
#include <cstdint>

#include "solis/base/aligned.h"
#include "solis/nn/kernels/panels.h"

namespace solis::nn {

// Whether this machine has instructions for them. Others do better with 16 bits.
[[nodiscard]] bool has_fast_bytes();

// [cols / 16][rows][16]; a byte b of row r stands for scales[r] * (b - zeros[r]). cols is a
// multiple of 16.
struct ByteRows {
    std::uint8_t* data;
    float* scales;
    float* zeros;
    std::size_t rows;
    std::size_t cols;
};

// `to` has the size of `from`.
void quantize_rows(ConstPanels from, ByteRows to);

// The right-hand side of a product.
class ByteMatrix {
  public:
    // b.rows is a multiple of 16, of 65536 at most.
    void pack(ConstPanels b);

    [[nodiscard]] bool empty() const { return values_.empty(); }
    [[nodiscard]] std::size_t depth() const { return depth_; }
    [[nodiscard]] std::size_t cols() const { return scales_.size(); }
    // [cols / 16][depth / 4][16][4]: four along the depth, as the kernel multiplies them.
    [[nodiscard]] const std::int8_t* values() const { return values_.data(); }
    // Column c stands for scales[c] times its integers, which add up to sums[c].
    [[nodiscard]] const float* scales() const { return scales_.data(); }
    [[nodiscard]] const float* sums() const { return sums_.data(); }

  private:
    std::size_t depth_ = 0;
    AlignedVector<std::int8_t> values_;
    AlignedVector<float> scales_, sums_;  // of whole panels
};

// c = a * b + bias (one per column, may be null).
void multiply(const ByteRows& a, const ByteMatrix& b, const float* bias, Panels c);

}  // namespace solis::nn
