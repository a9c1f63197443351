// Products of 16-bit panel matrices through Highway: pairs of products are added in 32 bits.
#include "solis/nn/kernels/integer_panels.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstring>

#include <hwy/cache_control.h>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "solis/nn/kernels/integer_panels.cpp"
#include <hwy/foreach_target.h>
// Highway wants the line above before these.
#include <hwy/highway.h>

#include "solis/nn/kernels/dot2-inl.h"
#include "solis/nn/kernels/tile-inl.h"

HWY_BEFORE_NAMESPACE();
namespace solis::nn::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

using Tag = PanelTag;
using IntTag = PanelInts;
using PairTag = hn::Repartition<std::int16_t, IntTag>;
using Vec = hn::Vec<Tag>;
using IntVec = hn::Vec<IntTag>;
using PairVec = hn::Vec<PairTag>;

// Products need a register of their own before they are added: of 16, six rows would leave none.
constexpr std::size_t kTileRows = kWholePanels ? kMostTileRows : 5;

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

// What is done with each row of a tile are objects with functions, because compilers call lambdas
// of this size, and what is called has its sums in memory.
struct StartAtZero {
    HWY_INLINE void operator()(std::size_t, OneVector<IntVec>& sum) const {
        sum.v0 = hn::Zero(IntTag());
    }
    HWY_INLINE void operator()(std::size_t, TwoVectors<IntVec>& sum) const {
        sum.v0 = sum.v1 = hn::Zero(IntTag());
    }
};

// Dot adds products of pairs: see dot2-inl.h.
template <class Dot, class PairRow>
struct AddPairs {
    const std::int16_t* a;  // of the first row
    std::size_t a_stride;
    PairRow b;

    HWY_INLINE PairVec pair_of(std::size_t row) const {
        std::int32_t pair;
        std::memcpy(&pair, a + row * a_stride, sizeof(pair));
        return hn::BitCast(PairTag(), hn::Set(IntTag(), pair));
    }
    HWY_INLINE void operator()(std::size_t row, OneVector<IntVec>& sum) const {
        Dot::add(sum.v0, pair_of(row), b.v0);
    }
    HWY_INLINE void operator()(std::size_t row, TwoVectors<IntVec>& sum) const {
        const PairVec x = pair_of(row);
        Dot::add(sum.v0, x, b.v0);
        Dot::add(sum.v1, x, b.v1);
    }
};
// Which of the two is used depends on the width of vectors.
[[maybe_unused]] HWY_INLINE void load_pairs(const std::int16_t* from, OneVector<PairVec>& to) {
    to.v0 = hn::LoadU(PairTag(), from);
}
[[maybe_unused]] HWY_INLINE void load_pairs(const std::int16_t* from, TwoVectors<PairVec>& to) {
    to.v0 = hn::LoadU(PairTag(), from);
    to.v1 = hn::LoadU(PairTag(), from + hn::Lanes(PairTag()));
}

// Scales sums back into floats.
struct StoreScaled {
    const IntegerTarget& target;

    HWY_INLINE void store(std::size_t row, const IntVec& sum, std::size_t first) const {
        const Tag d;
        float* const to = target.to + row * kPanel + first;
        const Vec scale =
            hn::Mul(hn::LoadU(d, target.col_scales + first), hn::Set(d, target.row_scales[row]));
        Vec start = hn::Zero(d);
        if (target.bias != nullptr) start = hn::LoadU(d, target.bias + first);
        if (target.add) start = hn::LoadU(d, to);
        hn::StoreU(hn::MulAdd(hn::ConvertTo(d, sum), scale, start), d, to);
    }
    HWY_INLINE void operator()(std::size_t row, OneVector<IntVec>& sum) const {
        store(row, sum.v0, 0);
    }
    HWY_INLINE void operator()(std::size_t row, TwoVectors<IntVec>& sum) const {
        store(row, sum.v0, 0);
        store(row, sum.v1, hn::Lanes(Tag()));
    }
};

// A function of its own: among others, compilers keep some of the sums in memory.
template <class Dot, std::size_t kRows>
HWY_NOINLINE void integer_tile(const IntegerTile& tile, const IntegerTarget& target) {
    TileSums<TileRow<IntVec>, kRows> sums;
    sums.each(StartAtZero());
    // One flat loop: unrolled, compilers reorder its sums until they no longer fit into registers.
    const std::int16_t* b = tile.b;
    for (std::size_t k = 0; k < tile.depth; k += 2, b += 2 * kPanel) {
        AddPairs<Dot, TileRow<PairVec>> add{tile.a + k, tile.a_stride, {}};
        load_pairs(b, add.b);
        sums.each(add);
    }
    sums.each(StoreScaled{target});
}

// Fetches [from, to) of a panel of b, in lines of one pair of rows.
HWY_INLINE void fetch(const std::int16_t* panel, std::size_t from, std::size_t to) {
    for (std::size_t line = from; line < to; ++line) hwy::Prefetch(panel + line * 2 * kPanel);
}

template <class Dot>
HWY_INLINE void multiply_with(const IntegerRows& a, const IntegerMatrix& b, const float* bias,
                              Panels c) {
    const std::size_t width = tile_width();
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
                    integer_tile<Dot, n()>(
                        {a.data + row * a.cols + k, a.cols, depth, panel + 2 * part},
                        {c.data + col * c.rows + row * kPanel + part, a.scales + row,
                         b.scales() + col + part,
                         bias == nullptr || k > 0 ? nullptr : bias + col + part, k > 0});
                });
            }
        }
    }
}

void multiply_kernel(const IntegerRows& a, const IntegerMatrix& b, const float* bias, Panels c) {
    with_best_dot2([&](auto dot) HWY_ATTR { multiply_with<decltype(dot)>(a, b, bias, c); });
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
