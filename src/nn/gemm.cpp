// Packed, register-blocked matrix product: 6 rows x 2 vectors per tile, depth in blocks.
#include "nn/gemm.h"

#include <algorithm>
#include <array>
#include <vector>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "nn/gemm.cpp"
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

float element(MatrixView m, std::size_t row, std::size_t col) {
    return m.transposed ? m.data[col * m.stride + row] : m.data[row * m.stride + col];
}

// Panels of kTileRows rows, each [depth][kTileRows], padded with zeros.
void pack_a(MatrixView a, std::size_t row, std::size_t rows, std::size_t from, std::size_t depth,
            float* out) {
    for (std::size_t r = 0; r < rows; r += kTileRows) {
        const std::size_t n = std::min(kTileRows, rows - r);
        for (std::size_t k = 0; k < depth; ++k) {
            for (std::size_t i = 0; i < kTileRows; ++i) {
                *out++ = i < n ? element(a, row + r + i, from + k) : 0.0f;
            }
        }
    }
}

// Panels of `tile` columns, each [depth][tile], padded with zeros.
void pack_b(MatrixView b, std::size_t cols, std::size_t from, std::size_t depth, std::size_t tile,
            float* out) {
    for (std::size_t c = 0; c < cols; c += tile) {
        const std::size_t n = std::min(tile, cols - c);
        for (std::size_t k = 0; k < depth; ++k) {
            for (std::size_t j = 0; j < tile; ++j) {
                *out++ = j < n ? element(b, from + k, c + j) : 0.0f;
            }
        }
    }
}

// One tile of kTileRows x 2 vectors over a depth block, into `out` with `stride`.
HWY_INLINE void tile(const float* HWY_RESTRICT a, const float* HWY_RESTRICT b, std::size_t depth,
                     float* HWY_RESTRICT out, std::size_t stride, bool add) {
    const Tag d;
    const std::size_t lanes = hn::Lanes(d);
    auto c00 = hn::Zero(d), c01 = hn::Zero(d), c10 = hn::Zero(d), c11 = hn::Zero(d);
    auto c20 = hn::Zero(d), c21 = hn::Zero(d), c30 = hn::Zero(d), c31 = hn::Zero(d);
    auto c40 = hn::Zero(d), c41 = hn::Zero(d), c50 = hn::Zero(d), c51 = hn::Zero(d);
    for (std::size_t k = 0; k < depth; ++k, a += kTileRows, b += 2 * lanes) {
        const auto b0 = hn::LoadU(d, b), b1 = hn::LoadU(d, b + lanes);
        auto x = hn::Set(d, a[0]);
        c00 = hn::MulAdd(x, b0, c00), c01 = hn::MulAdd(x, b1, c01);
        x = hn::Set(d, a[1]);
        c10 = hn::MulAdd(x, b0, c10), c11 = hn::MulAdd(x, b1, c11);
        x = hn::Set(d, a[2]);
        c20 = hn::MulAdd(x, b0, c20), c21 = hn::MulAdd(x, b1, c21);
        x = hn::Set(d, a[3]);
        c30 = hn::MulAdd(x, b0, c30), c31 = hn::MulAdd(x, b1, c31);
        x = hn::Set(d, a[4]);
        c40 = hn::MulAdd(x, b0, c40), c41 = hn::MulAdd(x, b1, c41);
        x = hn::Set(d, a[5]);
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
void edge_tile(const float* a, const float* b, std::size_t depth, float* out, std::size_t stride,
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

void multiply(std::size_t rows, std::size_t cols, std::size_t depth, MatrixView a, MatrixView b,
              float* c, std::size_t c_stride, Into into) {
    const std::size_t tile_cols = 2 * hn::Lanes(Tag());
    const std::size_t padded_cols = (cols + tile_cols - 1) / tile_cols * tile_cols;
    thread_local std::vector<float> packed_a, packed_b;
    packed_a.resize(kRowBlock * kDepthBlock);
    packed_b.resize(padded_cols * std::min(depth, kDepthBlock));
    for (std::size_t k = 0; k < depth; k += kDepthBlock) {
        const std::size_t block = std::min(kDepthBlock, depth - k);
        const bool add = k > 0 || into == Into::Add;
        pack_b(b, cols, k, block, tile_cols, packed_b.data());
        for (std::size_t r = 0; r < rows; r += kRowBlock) {
            const std::size_t block_rows = std::min(kRowBlock, rows - r);
            pack_a(a, r, block_rows, k, block, packed_a.data());
            for (std::size_t j = 0; j < cols; j += tile_cols) {
                const std::size_t n = std::min(tile_cols, cols - j);
                for (std::size_t i = 0; i < block_rows; i += kTileRows) {
                    const std::size_t m = std::min(kTileRows, block_rows - i);
                    const float* const pa = packed_a.data() + i * block;
                    const float* const pb = packed_b.data() + j * block;
                    float* const to = c + (r + i) * c_stride + j;
                    if (m == kTileRows && n == tile_cols) {
                        tile(pa, pb, block, to, c_stride, add);
                    } else {
                        edge_tile(pa, pb, block, to, c_stride, add, m, n, tile_cols);
                    }
                }
            }
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
HWY_EXPORT(lanes);

void gemm(std::size_t rows, std::size_t cols, std::size_t depth, MatrixView a, MatrixView b,
          float* c, std::size_t c_stride, Into into) {
    HWY_DYNAMIC_DISPATCH(multiply)(rows, cols, depth, a, b, c, c_stride, into);
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
