// Products of bfloat16 matrices with float sums, for training: a value keeps a float's range and 8
// bits. Machines with AVX-512 BF16 multiply them twice as fast as floats; on others they are
// widened and gain nothing.
#pragma once
#include <cstdint>

#include "solis/base/aligned.h"
#include "solis/nn/kernels/panels.h"

namespace solis::nn {

// The upper half of a float's bits.
using Bf16 = std::uint16_t;

// Whether this machine has instructions for them.
[[nodiscard]] bool has_fast_bf16();

// A left-hand side, [cols / 16][rows][16]: what is summed over lies side by side.
template <class T>
struct BasicBf16Rows {
    T* data;
    std::size_t rows;
    std::size_t cols;

    [[nodiscard]] BasicBf16Rows columns(std::size_t first, std::size_t count) const {
        return {data + first * rows, rows, count};
    }
    [[nodiscard]] std::size_t size() const { return panel_floats(rows, cols); }
    operator BasicBf16Rows<const T>() const { return {data, rows, cols}; }
};
using Bf16Rows = BasicBf16Rows<Bf16>;
using ConstBf16Rows = BasicBf16Rows<const Bf16>;

// A right-hand side, or either side of a product over rows, [cols / 16][rows / 2][16][2]: two rows
// as pairs, a last one without another beside 0.
template <class T>
struct BasicBf16Pairs {
    T* data;
    std::size_t rows;
    std::size_t cols;

    [[nodiscard]] std::size_t lines() const { return (rows + 1) / 2; }
    [[nodiscard]] BasicBf16Pairs columns(std::size_t first, std::size_t count) const {
        return {data + first * 2 * lines(), rows, count};
    }
    [[nodiscard]] std::size_t size() const { return panel_floats(2 * lines(), cols); }
    operator BasicBf16Pairs<const T>() const { return {data, rows, cols}; }
};
using Bf16Pairs = BasicBf16Pairs<Bf16>;
using ConstBf16Pairs = BasicBf16Pairs<const Bf16>;

// Floats in panels of 16 columns, wherever rows and panels begin.
struct StridedFloats {
    const float* data;
    std::size_t rows, cols;
    std::size_t row_step, panel_step;
};

// Rounds to the nearest, both layouts in one pass or one alone.
void to_bf16(ConstPanels from, Bf16Rows rows);
void to_bf16(ConstPanels from, Bf16Pairs pairs);
void to_bf16(ConstPanels from, Bf16Rows rows, Bf16Pairs pairs);
// to = transpose of from, whose columns are a multiple of 16; columns of `to` beyond its own become
// 0.
void transpose(ConstBf16Rows from, Bf16Pairs to);

// c = or += a * b + bias, as for floats. Columns of a beyond its own meet the 0 of b's last pair
// and have to be finite.
void multiply(ConstBf16Rows a, ConstBf16Pairs b, const float* bias, Panels c, Into into);
// c = or += transpose of a * b.
void multiply_transposed(ConstBf16Pairs a, ConstBf16Pairs b, Panels c, Into into);

// Memory for one matrix at a time; grows as needed.
class Bf16Memory {
  public:
    [[nodiscard]] Bf16Rows rows(std::size_t rows, std::size_t cols) {
        return {room(panel_floats(rows, cols)), rows, cols};
    }
    [[nodiscard]] Bf16Pairs pairs(std::size_t rows, std::size_t cols) {
        return {room(panel_floats(rows + rows % 2, cols)), rows, cols};
    }

  private:
    Bf16* room(std::size_t count) {
        if (values_.size() < count) values_.resize(count);
        return values_.data();
    }
    AlignedVector<Bf16> values_;
};

// A right-hand side with memory of its own, made of a row-major matrix of floats whose sizes are
// multiples of 16.
class Bf16Matrix {
  public:
    void pack(const float* from, std::size_t rows, std::size_t cols);
    void pack_transposed(const float* from, std::size_t rows, std::size_t cols);

    [[nodiscard]] bool empty() const { return values_.empty(); }
    [[nodiscard]] ConstBf16Pairs view() const { return {values_.data(), rows_, cols_}; }

  private:
    std::size_t rows_ = 0, cols_ = 0;
    AlignedVector<Bf16> values_;
};

}  // namespace solis::nn
