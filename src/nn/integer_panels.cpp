// Products of 16-bit panel matrices through Highway: pairs of products are added in 32 bits.
#include "nn/integer_panels.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstring>

#include <hwy/cache_control.h>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "nn/integer_panels.cpp"
#include <hwy/foreach_target.h>
// Highway wants the line above before these.
#include <hwy/highway.h>

#include "nn/dot2-inl.h"
#include "nn/tile-inl.h"

HWY_BEFORE_NAMESPACE();
namespace solis::nn::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

// Two vectors make a panel.
using Tag = hn::CappedTag<float, 8>;
using IntTag = hn::RebindToSigned<Tag>;
using PairTag = hn::Repartition<std::int16_t, IntTag>;
using Vec = hn::Vec<Tag>;
using IntVec = hn::Vec<IntTag>;

// Products need a register of their own before they are added; six rows would leave none.
constexpr std::size_t kTileRows = 5;

void quantize_kernel(ConstPanels from, IntegerRows to) {
    const Tag d;
    const hn::Rebind<std::int16_t, Tag> d16;
    const std::size_t lanes = hn::Lanes(d), step = from.rows * kPanel;
    const std::size_t panels = from.cols / kPanel;
    for (std::size_t row = 0; row < from.rows; ++row) {
        const float* const first = from.data + row * kPanel;
        Vec most = hn::Zero(d), squares = hn::Zero(d);
        for (std::size_t p = 0; p < panels; ++p) {
            for (std::size_t part = 0; part < kPanel; part += lanes) {
                const Vec x = hn::LoadU(d, first + p * step + part);
                most = hn::Max(most, hn::Abs(x));
                squares = hn::MulAdd(x, x, squares);
            }
        }
        const float scale =
            std::max({hn::GetLane(hn::MaxOfLanes(d, most)) / kLargestInteger,
                      std::sqrt(hn::GetLane(hn::SumOfLanes(d, squares))) / kLongestIntegers,
                      1e-30f});  // a row of zeros stays one
        to.scales[row] = scale;
        const Vec factor = hn::Set(d, 1 / scale);
        std::int16_t* const out = to.data + row * to.cols;
        for (std::size_t p = 0; p < panels; ++p) {
            for (std::size_t part = 0; part < kPanel; part += lanes) {
                const Vec x = hn::Mul(hn::LoadU(d, first + p * step + part), factor);
                hn::StoreU(hn::DemoteTo(d16, hn::NearestInt(x)), d16, out + p * kPanel + part);
            }
        }
    }
}

// One tile of a depth block.
struct IntegerTile {
    const std::int16_t* a;  // first row
    std::size_t a_stride;   // integers from one row to the next
    std::size_t depth;
    const std::int16_t* b;
};
struct IntegerTarget {
    float* to;
    const float* row_scales;
    const float* col_scales;
    const float* bias;  // null: none
    bool add;
};

template <std::size_t kRows>
HWY_INLINE void integer_tile(const IntegerTile& tile, const IntegerTarget& target) {
    const Tag d;
    const IntTag di;
    const PairTag dp;
    const std::size_t lanes = hn::Lanes(d);
    TileSums<IntVec, kRows> sums;
    sums.each([&](std::size_t, IntVec& s0, IntVec& s1) HWY_ATTR { s0 = s1 = hn::Zero(di); });
    // One flat loop: unrolled, compilers reorder its sums until they no longer fit into registers.
    const std::int16_t* b = tile.b;
    for (std::size_t k = 0; k < tile.depth; k += 2, b += 2 * kPanel) {
        const auto b0 = hn::LoadU(dp, b), b1 = hn::LoadU(dp, b + 2 * lanes);
        sums.each([&](std::size_t row, IntVec& s0, IntVec& s1) HWY_ATTR {
            std::int32_t pair;
            std::memcpy(&pair, tile.a + row * tile.a_stride + k, sizeof(pair));
            const auto x = hn::BitCast(dp, hn::Set(di, pair));
            s0 = dot2(s0, x, b0);
            s1 = dot2(s1, x, b1);
        });
    }
    const Vec c0 = hn::LoadU(d, target.col_scales), c1 = hn::LoadU(d, target.col_scales + lanes);
    Vec start0 = hn::Zero(d), start1 = hn::Zero(d);
    if (target.bias != nullptr) {
        start0 = hn::LoadU(d, target.bias);
        start1 = hn::LoadU(d, target.bias + lanes);
    }
    sums.each([&](std::size_t row, IntVec& s0, IntVec& s1) HWY_ATTR {
        float* const to = target.to + row * kPanel;
        const Vec scale = hn::Set(d, target.row_scales[row]);
        const Vec from0 = target.add ? hn::LoadU(d, to) : start0;
        const Vec from1 = target.add ? hn::LoadU(d, to + lanes) : start1;
        hn::StoreU(hn::MulAdd(hn::ConvertTo(d, s0), hn::Mul(c0, scale), from0), d, to);
        hn::StoreU(hn::MulAdd(hn::ConvertTo(d, s1), hn::Mul(c1, scale), from1), d, to + lanes);
    });
}

// Fetches [from, to) of a panel of b, in lines of one pair of rows.
HWY_INLINE void fetch(const std::int16_t* panel, std::size_t from, std::size_t to) {
    for (std::size_t line = from; line < to; ++line) hwy::Prefetch(panel + line * 2 * kPanel);
}

void multiply_kernel(const IntegerRows& a, const IntegerMatrix& b, const float* bias, Panels c) {
    const std::size_t width = 2 * hn::Lanes(Tag());
    for (std::size_t k = 0; k < a.cols; k += kIntegerDepthBlock) {
        const std::size_t depth = std::min(kIntegerDepthBlock, a.cols - k);
        for (std::size_t col = 0; col < c.cols; col += kPanel) {
            const std::int16_t* const panel = b.values() + col * b.depth() + k * kPanel;
            // While one panel is used, the next one is fetched: a share with each tile.
            const bool is_last = col + kPanel >= c.cols;
            const std::int16_t* const next = is_last ? panel : panel + b.depth() * kPanel;
            for (std::size_t part = 0; part < kPanel; part += width) {
                for_tiles<kTileRows>(a.rows, [&](auto n, std::size_t row) HWY_ATTR {
                    const std::size_t lines = depth / 2;
                    fetch(next, lines * row / a.rows, lines * (row + n()) / a.rows);
                    integer_tile<n()>(
                        {a.data + row * a.cols + k, a.cols, depth, panel + 2 * part},
                        {c.data + col * c.rows + row * kPanel + part, a.scales + row,
                         b.scales() + col + part,
                         bias == nullptr || k > 0 ? nullptr : bias + col + part, k > 0});
                });
            }
        }
    }
}

}  // namespace
}  // namespace solis::nn::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace solis::nn {
namespace {

// What one step of a column's integers stands for.
float column_scale(ConstPanels b, std::size_t col) {
    float scale = 1e-30f;
    for (std::size_t k = 0; k < b.rows; k += kIntegerDepthBlock) {
        float most = 0, squares = 0;
        for (std::size_t row = k; row < std::min(b.rows, k + kIntegerDepthBlock); ++row) {
            most = std::max(most, std::abs(b.at(row, col)));
            squares += b.at(row, col) * b.at(row, col);
        }
        scale = std::max({scale, most / kLargestInteger, std::sqrt(squares) / kLongestIntegers});
    }
    return scale;
}

}  // namespace

HWY_EXPORT(quantize_kernel);
HWY_EXPORT(multiply_kernel);

void quantize_rows(ConstPanels from, IntegerRows to) {
    assert(from.rows == to.rows && from.cols == to.cols && from.cols % kPanel == 0);
    HWY_DYNAMIC_DISPATCH(quantize_kernel)(from, to);
}

void IntegerMatrix::pack(ConstPanels b) {
    assert(b.rows % kPanel == 0);
    depth_ = b.rows;
    values_.assign(panel_floats(b.rows, b.cols), 0);
    scales_.assign(panel_count(b.cols) * kPanel, 0.0f);
    for (std::size_t col = 0; col < b.cols; ++col) {
        const float scale = column_scale(b, col);
        scales_[col] = scale;
        for (std::size_t k = 0; k < b.rows; ++k) {
            const std::size_t at =
                (col / kPanel * depth_ + k / 2 * 2) * kPanel + col % kPanel * 2 + k % 2;
            values_[at] = static_cast<std::int16_t>(std::lround(b.at(k, col) / scale));
        }
    }
}

void multiply(const IntegerRows& a, const IntegerMatrix& b, const float* bias, Panels c) {
    assert(a.cols == b.depth() && a.rows == c.rows && c.cols <= b.cols());
    HWY_DYNAMIC_DISPATCH(multiply_kernel)(a, b, bias, c);
}

}  // namespace solis::nn
#endif
