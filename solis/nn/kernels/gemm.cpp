// Packed, register-blocked matrix product: 6 rows x 2 vectors per tile, depth in blocks.
#include "solis/nn/kernels/gemm.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <vector>

#ifndef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "solis/nn/kernels/gemm.cpp"
#endif
#include <hwy/foreach_target.h>
// Highway wants the line above before this one.
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace solis::nn::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

using Tag = hn::ScalableTag<float>;

constexpr std::size_t kTileRows = 6;
constexpr std::size_t kMaxTileCols = 2 * 64;  // two vectors of any instruction set
constexpr std::size_t kDepthBlock = 256;      // a packed panel of b then stays in the L1 cache
constexpr std::size_t kRowBlock = 16 * kTileRows;

// Six rows of a, wherever they are: row i at depth k is rows[i][k * step].
struct TileRows {
    const float* rows[kTileRows];
    std::size_t step;
};

// Rows of a transposed matrix as panels of kTileRows, each [depth][kTileRows], padded with zeros.
// Rows that lie in memory one after another are read where they are.
void pack_transposed(MatrixView a, std::size_t row, std::size_t rows, std::size_t from,
                     std::size_t depth, float* out) {
    for (std::size_t r = 0; r < rows; r += kTileRows) {
        const std::size_t n = std::min(kTileRows, rows - r);
        const float* in = a.data + from * a.stride + row + r;
        for (std::size_t k = 0; k < depth; ++k, in += a.stride, out += kTileRows) {
            if (n == kTileRows) {
                std::memcpy(out, in, kTileRows * sizeof(float));
            } else {
                std::fill(std::copy(in, in + n, out), out + kTileRows, 0.0f);
            }
        }
    }
}

TileRows tile_rows(MatrixView a, const float* packed, std::size_t row, std::size_t rows,
                   std::size_t from) {
    TileRows tile{};
    tile.step = a.transposed ? kTileRows : 1;
    for (std::size_t i = 0; i < kTileRows; ++i) {
        // Rows that a tile at the edge lacks are those of the last one; nobody reads what they
        // give.
        tile.rows[i] =
            a.transposed ? packed + i : a.data + (row + std::min(i, rows - 1)) * a.stride + from;
    }
    return tile;
}

// Panels of `tile` columns, each [depth][tile], padded with zeros.
void pack_b(MatrixView b, std::size_t cols, std::size_t from, std::size_t depth, std::size_t tile,
            float* out) {
    for (std::size_t c = 0; c < cols; c += tile, out += depth * tile) {
        const std::size_t n = std::min(tile, cols - c);
        if (n < tile) std::fill(out, out + depth * tile, 0.0f);
        if (b.transposed) {
            for (std::size_t j = 0; j < n; ++j) {
                const float* const in = b.data + (c + j) * b.stride + from;
                for (std::size_t k = 0; k < depth; ++k) out[k * tile + j] = in[k];
            }
        } else {
            for (std::size_t k = 0; k < depth; ++k) {
                std::copy_n(b.data + (from + k) * b.stride + c, n, out + k * tile);
            }
        }
    }
}

// One tile of kTileRows x 2 vectors over a depth block, into `out` with `stride`.
HWY_INLINE void tile(const TileRows& a, const float* HWY_RESTRICT b, std::size_t depth,
                     float* HWY_RESTRICT out, std::size_t stride, bool add) {
    const Tag d;
    const std::size_t lanes = hn::Lanes(d);
    const float *const a0 = a.rows[0], *const a1 = a.rows[1], *const a2 = a.rows[2];
    const float *const a3 = a.rows[3], *const a4 = a.rows[4], *const a5 = a.rows[5];
    auto c00 = hn::Zero(d), c01 = hn::Zero(d), c10 = hn::Zero(d), c11 = hn::Zero(d);
    auto c20 = hn::Zero(d), c21 = hn::Zero(d), c30 = hn::Zero(d), c31 = hn::Zero(d);
    auto c40 = hn::Zero(d), c41 = hn::Zero(d), c50 = hn::Zero(d), c51 = hn::Zero(d);
    const std::size_t end = depth * a.step;
    for (std::size_t k = 0; k < end; k += a.step, b += 2 * lanes) {
        const auto b0 = hn::LoadU(d, b), b1 = hn::LoadU(d, b + lanes);
        auto x = hn::Set(d, a0[k]);
        c00 = hn::MulAdd(x, b0, c00), c01 = hn::MulAdd(x, b1, c01);
        x = hn::Set(d, a1[k]);
        c10 = hn::MulAdd(x, b0, c10), c11 = hn::MulAdd(x, b1, c11);
        x = hn::Set(d, a2[k]);
        c20 = hn::MulAdd(x, b0, c20), c21 = hn::MulAdd(x, b1, c21);
        x = hn::Set(d, a3[k]);
        c30 = hn::MulAdd(x, b0, c30), c31 = hn::MulAdd(x, b1, c31);
        x = hn::Set(d, a4[k]);
        c40 = hn::MulAdd(x, b0, c40), c41 = hn::MulAdd(x, b1, c41);
        x = hn::Set(d, a5[k]);
        c50 = hn::MulAdd(x, b0, c50), c51 = hn::MulAdd(x, b1, c51);
    }
    const auto put = [&](std::size_t row, auto v0, auto v1) HWY_ATTR {
        float* const to = out + row * stride;
        if (add) v0 = hn::Add(v0, hn::LoadU(d, to)), v1 = hn::Add(v1, hn::LoadU(d, to + lanes));
        hn::StoreU(v0, d, to);
        hn::StoreU(v1, d, to + lanes);
    };
    put(0, c00, c01), put(1, c10, c11), put(2, c20, c21);
    put(3, c30, c31), put(4, c40, c41), put(5, c50, c51);
}

// A tile at the edge of c: computed aside, then only the part inside c is written.
void edge_tile(const TileRows& a, const float* b, std::size_t depth, float* out, std::size_t stride,
               bool add, std::size_t rows, std::size_t cols, std::size_t tile_cols) {
    std::array<float, kTileRows * kMaxTileCols> aside;
    tile(a, b, depth, aside.data(), tile_cols, false);
    for (std::size_t i = 0; i < rows; ++i) {
        for (std::size_t j = 0; j < cols; ++j) {
            float& to = out[i * stride + j];
            to = aside[i * tile_cols + j] + (add ? to : 0.0f);
        }
    }
}

std::size_t tile_cols() { return 2 * hn::Lanes(Tag()); }

std::size_t padded(std::size_t cols) {
    return (cols + tile_cols() - 1) / tile_cols() * tile_cols();
}

std::size_t packed_size(std::size_t depth, std::size_t cols) { return depth * padded(cols); }

void pack(std::size_t depth, std::size_t cols, MatrixView b, float* out) {
    for (std::size_t k = 0; k < depth; k += kDepthBlock) {
        pack_b(b, cols, k, std::min(kDepthBlock, depth - k), tile_cols(), out + k * padded(cols));
    }
}

// c's rows from `row` on, `rows` of them, over one depth block.
void multiply_block(std::size_t row, std::size_t rows, std::size_t from, std::size_t depth,
                    MatrixView a, const float* packed_a, const float* packed_b, std::size_t cols,
                    float* c, std::size_t c_stride, bool add) {
    const std::size_t width = tile_cols();
    for (std::size_t j = 0; j < cols; j += width) {
        const std::size_t n = std::min(width, cols - j);
        for (std::size_t i = 0; i < rows; i += kTileRows) {
            const std::size_t m = std::min(kTileRows, rows - i);
            const TileRows pa = tile_rows(a, packed_a == nullptr ? nullptr : packed_a + i * depth,
                                          row + i, m, from);
            const float* const pb = packed_b + j * depth;
            float* const to = c + (row + i) * c_stride + j;
            if (m == kTileRows && n == width) {
                tile(pa, pb, depth, to, c_stride, add);
            } else {
                edge_tile(pa, pb, depth, to, c_stride, add, m, n, width);
            }
        }
    }
}

void multiply(std::size_t rows, MatrixView a, const PackedMatrix& b, float* c, std::size_t c_stride,
              Into into) {
    thread_local std::vector<float> packed_a;
    if (a.transposed) packed_a.resize(kRowBlock * kDepthBlock);
    for (std::size_t k = 0; k < b.depth(); k += kDepthBlock) {
        const std::size_t depth = std::min(kDepthBlock, b.depth() - k);
        const bool add = k > 0 || into == Into::Add;
        const float* const packed_b = b.values() + k * padded(b.cols());
        for (std::size_t r = 0; r < rows; r += kRowBlock) {
            const std::size_t block_rows = std::min(kRowBlock, rows - r);
            if (a.transposed) pack_transposed(a, r, block_rows, k, depth, packed_a.data());
            multiply_block(r, block_rows, k, depth, a, packed_a.data(), packed_b, b.cols(), c,
                           c_stride, add);
        }
    }
}

std::size_t lanes() { return hn::Lanes(Tag()); }

}  // namespace
}  // namespace solis::nn::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace solis::nn {

HWY_EXPORT(multiply);
HWY_EXPORT(packed_size);
HWY_EXPORT(pack);
HWY_EXPORT(lanes);

void PackedMatrix::pack(std::size_t depth, std::size_t cols, MatrixView b) {
    depth_ = depth;
    cols_ = cols;
    values_.resize(HWY_DYNAMIC_DISPATCH(packed_size)(depth, cols));
    HWY_DYNAMIC_DISPATCH(pack)(depth, cols, b, values_.data());
}

void gemm(std::size_t rows, MatrixView a, const PackedMatrix& b, float* c, std::size_t c_stride,
          Into into) {
    HWY_DYNAMIC_DISPATCH(multiply)(rows, a, b, c, c_stride, into);
}

void gemm(std::size_t rows, std::size_t cols, std::size_t depth, MatrixView a, MatrixView b,
          float* c, std::size_t c_stride, Into into) {
    thread_local PackedMatrix packed;
    packed.pack(depth, cols, b);
    gemm(rows, a, packed, c, c_stride, into);
}

std::size_t float_lanes() { return HWY_DYNAMIC_DISPATCH(lanes)(); }

void gemm_reference(std::size_t rows, std::size_t cols, std::size_t depth, MatrixView a,
                    MatrixView b, float* c, std::size_t c_stride, Into into) {
    const auto at = [](MatrixView m, std::size_t row, std::size_t col) {
        return static_cast<double>(m.transposed ? m.data[col * m.stride + row]
                                                : m.data[row * m.stride + col]);
    };
    for (std::size_t i = 0; i < rows; ++i) {
        for (std::size_t j = 0; j < cols; ++j) {
            double sum = into == Into::Add ? static_cast<double>(c[i * c_stride + j]) : 0.0;
            for (std::size_t k = 0; k < depth; ++k) sum += at(a, i, k) * at(b, k, j);
            c[i * c_stride + j] = static_cast<float>(sum);
        }
    }
}

}  // namespace solis::nn
#endif
