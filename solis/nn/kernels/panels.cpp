// Products of panel matrices: tiles of rows whose sums stay in registers, depth in blocks that stay
// in the L1 cache.
#include "solis/nn/kernels/panels.h"

#include <algorithm>
#include <cassert>

#include <hwy/cache_control.h>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "solis/nn/kernels/panels.cpp"
#include <hwy/foreach_target.h>
// Highway wants the line above before these.
#include <hwy/highway.h>

#include "solis/nn/kernels/tile-inl.h"

HWY_BEFORE_NAMESPACE();
namespace solis::nn::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

using Tag = PanelTag;
using Vec = hn::Vec<Tag>;
using Row = TileRow<Vec>;

constexpr std::size_t kDepthBlock = 256;

// Where a tile's sums start and where they go.
struct Target {
    float* to;          // first row
    const float* bias;  // null: none
    bool add;
};

HWY_INLINE void load_row(const float* HWY_RESTRICT from, Row& row) {
    const Tag d;
    row.each([&](Vec& v, std::size_t i) HWY_ATTR { v = hn::LoadU(d, from + i * hn::Lanes(d)); });
}

template <std::size_t kRows>
struct Sums : TileSums<Row, kRows> {
    HWY_INLINE void start(const Target& target) {
        const Tag d;
        Row first;
        first.each([&](Vec& v, std::size_t) HWY_ATTR { v = hn::Zero(d); });
        if (target.bias != nullptr) load_row(target.bias, first);
        this->each([&](std::size_t row, Row& sum) HWY_ATTR {
            // What is there already is added in the end; it has arrived by then.
            if (target.add) hwy::Prefetch(target.to + row * kPanel);
            sum = first;
        });
    }
    // a: kRows factors, `step` floats apart; b: one row of the panel.
    HWY_INLINE void add_products(const float* HWY_RESTRICT a, std::size_t step,
                                 const float* HWY_RESTRICT b) {
        const Tag d;
        Row from_b;
        load_row(b, from_b);
        this->each([&](std::size_t row, Row& sum) HWY_ATTR {
            const Vec x = hn::Set(d, a[row * step]);
            sum.each_with(from_b, [&](Vec& s, const Vec& v) HWY_ATTR { s = hn::MulAdd(x, v, s); });
        });
    }
    HWY_INLINE void finish(const Target& target) {
        const Tag d;
        const std::size_t lanes = hn::Lanes(d);
        if (target.add) {
            this->each([&](std::size_t row, Row& sum) HWY_ATTR {
                sum.each([&](Vec& v, std::size_t i) HWY_ATTR {
                    v = hn::Add(v, hn::LoadU(d, target.to + row * kPanel + i * lanes));
                });
            });
        }
        this->each([&](std::size_t row, Row& sum) HWY_ATTR {
            sum.each([&](Vec& v, std::size_t i)
                         HWY_ATTR { hn::StoreU(v, d, target.to + row * kPanel + i * lanes); });
        });
    }
};

// `a` points to the first row of the tile in its first panel of the depth block. Fetches two rows
// from `ahead` for each panel of the depth.
template <std::size_t kRows>
HWY_INLINE void row_tile(const float* HWY_RESTRICT a, std::size_t a_panel, std::size_t depth,
                         const float* HWY_RESTRICT b, const Target& target, const float* ahead) {
    Sums<kRows> sums;
    sums.start(target);
    std::size_t k = 0;
    for (; k + kPanel <= depth; k += kPanel, a += a_panel) {
        hwy::Prefetch(ahead);
        hwy::Prefetch(ahead + kPanel);
        ahead += 2 * kPanel;
        for (std::size_t i = 0; i < kPanel; ++i, b += kPanel) sums.add_products(a + i, kPanel, b);
    }
    for (; k < depth; ++k, ++a, b += kPanel) sums.add_products(a, kPanel, b);
    sums.finish(target);
}

// `a` points to the first column of the tile in its panel.
template <std::size_t kRows>
HWY_INLINE void column_tile(const float* HWY_RESTRICT a, std::size_t depth,
                            const float* HWY_RESTRICT b, const Target& target) {
    Sums<kRows> sums;
    sums.start(target);
    for (std::size_t k = 0; k < depth; ++k, a += kPanel, b += kPanel) sums.add_products(a, 1, b);
    sums.finish(target);
}

void multiply_kernel(ConstPanels a, ConstPanels b, const float* bias, Panels c, Into into) {
    const std::size_t width = tile_width();
    for (std::size_t k = 0; k < a.cols; k += kDepthBlock) {
        const std::size_t depth = std::min(kDepthBlock, a.cols - k);
        const float* const first = a.data + k * a.rows;
        const bool add = into == Into::Add || k > 0;
        for (std::size_t col = 0; col < b.cols; col += kPanel) {
            const float* const panel = b.data + col * b.rows + k * kPanel;
            // Weights come from far away: while one panel is used, the next one is fetched.
            const bool is_last = col + kPanel >= b.cols;
            const float* const next = is_last ? panel : panel + b.rows * kPanel;
            for (std::size_t part = 0; part < kPanel; part += width) {
                float* const to = c.data + col * c.rows + part;
                const float* const start = bias == nullptr || k > 0 ? nullptr : bias + col + part;
                std::size_t fetched = 0;
                for_tiles<kMostTileRows>(a.rows, [&](auto n, std::size_t row) HWY_ATTR {
                    row_tile<n()>(first + row * kPanel, a.rows * kPanel, depth, panel + part,
                                  {to + row * kPanel, start, add}, next + fetched);
                    if (fetched + 4 * depth <= kPanel * depth) fetched += 2 * depth;
                });
            }
        }
    }
}

void multiply_transposed_kernel(ConstPanels a, ConstPanels b, Panels c, Into into) {
    const std::size_t width = tile_width();
    for (std::size_t col = 0; col < b.cols; col += kPanel) {
        for (std::size_t part = 0; part < kPanel; part += width) {
            const float* const from = b.data + col * b.rows + part;
            float* const to = c.data + col * c.rows + part;
            for (std::size_t first = 0; first < a.cols; first += kPanel) {
                const std::size_t rows = std::min(kPanel, a.cols - first);
                for_tiles<kMostTileColumns>(rows, [&](auto n, std::size_t row) HWY_ATTR {
                    column_tile<n()>(a.data + first * a.rows + row, a.rows, from,
                                     {to + (first + row) * kPanel, nullptr, into == Into::Add});
                });
            }
        }
    }
}

void column_sums_kernel(ConstPanels from, float* HWY_RESTRICT sums) {
    const Tag d;
    const std::size_t lanes = hn::Lanes(d);
    for (std::size_t col = 0; col < from.cols; col += kPanel) {
        for (std::size_t part = 0; part < kPanel; part += lanes) {
            const float* at = from.data + col * from.rows + part;
            Vec sum = hn::LoadU(d, sums + col + part);
            for (std::size_t r = 0; r < from.rows; ++r, at += kPanel) {
                sum = hn::Add(sum, hn::LoadU(d, at));
            }
            hn::StoreU(sum, d, sums + col + part);
        }
    }
}

}  // namespace
}  // namespace solis::nn::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace solis::nn {

HWY_EXPORT(multiply_kernel);
HWY_EXPORT(multiply_transposed_kernel);
HWY_EXPORT(column_sums_kernel);

void multiply(ConstPanels a, ConstPanels b, const float* bias, Panels c, Into into) {
    assert(a.cols == b.rows && a.rows == c.rows && b.cols == c.cols);
    assert(bias == nullptr || into == Into::Overwrite);
    HWY_DYNAMIC_DISPATCH(multiply_kernel)(a, b, bias, c, into);
}

void multiply_transposed(ConstPanels a, ConstPanels b, Panels c, Into into) {
    assert(a.rows == b.rows && a.cols == c.rows && b.cols == c.cols);
    HWY_DYNAMIC_DISPATCH(multiply_transposed_kernel)(a, b, c, into);
}

void add_column_sums(ConstPanels from, float* sums) {
    HWY_DYNAMIC_DISPATCH(column_sums_kernel)(from, sums);
}

void transpose(ConstPanels from, Panels to) {
    assert(from.rows == to.cols && from.cols == to.rows);
    for (std::size_t first = 0; first < to.cols; first += kPanel) {
        const std::size_t count = std::min(kPanel, to.cols - first);
        for (std::size_t row = 0; row < to.rows; row += kPanel) {
            const std::size_t rows = std::min(kPanel, to.rows - row);
            const float* const source = from.data + row * from.rows + first * kPanel;
            float* const target = to.data + first * to.rows + row * kPanel;
            for (std::size_t i = 0; i < rows; ++i) {
                for (std::size_t j = 0; j < count; ++j) {
                    target[i * kPanel + j] = source[j * kPanel + i];
                }
                std::fill(target + i * kPanel + count, target + (i + 1) * kPanel, 0.0f);
            }
        }
    }
}

void to_panels(const float* rows, std::size_t stride, Panels to) {
    const std::size_t padded = panel_count(to.cols) * kPanel;
    for (std::size_t row = 0; row < to.rows; ++row) {
        for (std::size_t col = 0; col < padded; ++col) {
            to.at(row, col) = col < to.cols ? rows[row * stride + col] : 0.0f;
        }
    }
}

void from_panels(ConstPanels from, float* rows, std::size_t stride) {
    for (std::size_t row = 0; row < from.rows; ++row) row_of(from, row, rows + row * stride);
}

void row_of(ConstPanels from, std::size_t row, float* out) {
    for (std::size_t col = 0; col < from.cols; ++col) out[col] = from.at(row, col);
}

void add_to_row(const float* values, std::size_t row, Panels to) {
    for (std::size_t col = 0; col < to.cols; ++col) to.at(row, col) += values[col];
}

}  // namespace solis::nn
#endif
