// Matrices in panels of 16 columns, [cols / 16][rows][16]: a head of attention is one or more whole
// panels, and every product reads and writes whole cache lines.
#pragma once
#include <cstddef>

#include "solis/nn/kernels/gemm.h"

namespace solis::nn {

inline constexpr std::size_t kPanel = 16;

[[nodiscard]] constexpr std::size_t panel_count(std::size_t cols) {
    return (cols + kPanel - 1) / kPanel;
}
// Floats that a matrix takes: the last panel is whole, whatever the number of columns.
[[nodiscard]] constexpr std::size_t panel_floats(std::size_t rows, std::size_t cols) {
    return rows * panel_count(cols) * kPanel;
}

template <class T>
struct BasicPanels {
    T* data;
    std::size_t rows;
    std::size_t cols;

    // Columns [first, first + count); first is a multiple of kPanel.
    [[nodiscard]] BasicPanels columns(std::size_t first, std::size_t count) const {
        return {data + first * rows, rows, count};
    }
    [[nodiscard]] T& at(std::size_t row, std::size_t col) const {
        return data[(col / kPanel * rows + row) * kPanel + col % kPanel];
    }
    [[nodiscard]] std::size_t floats() const { return panel_floats(rows, cols); }
    operator BasicPanels<const T>() const { return {data, rows, cols}; }
};
using Panels = BasicPanels<float>;
using ConstPanels = BasicPanels<const float>;

// c = or += a * b + bias; a: rows x depth, b: depth x cols, c: rows x cols. The bias (one per
// column of whole panels) may be null. Columns of c beyond b.cols get what b has there. No overlap.
void multiply(ConstPanels a, ConstPanels b, const float* bias, Panels c, Into into);
// c = or += transpose of a * b; a: depth x rows, b: depth x cols, c: rows x cols.
void multiply_transposed(ConstPanels a, ConstPanels b, Panels c, Into into);
// to = transpose of from; columns of `to` beyond its own become 0.
void transpose(ConstPanels from, Panels to);
// sums[col] += the sum over rows, for whole panels.
void add_column_sums(ConstPanels from, float* sums);

// From and to a row-major matrix; columns beyond its own become 0.
void to_panels(const float* rows, std::size_t stride, Panels to);
void from_panels(ConstPanels from, float* rows, std::size_t stride);
void row_of(ConstPanels from, std::size_t row, float* out);
void add_to_row(const float* values, std::size_t row, Panels to);

}  // namespace solis::nn
