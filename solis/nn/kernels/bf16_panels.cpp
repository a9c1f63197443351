// Products of bfloat16 matrices through Highway.
#include "solis/nn/kernels/bf16_panels.h"

#include <algorithm>
#include <cassert>
#include <cstring>

#include <hwy/cache_control.h>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "solis/nn/kernels/bf16_panels.cpp"
#include <hwy/foreach_target.h>
// Highway wants the line above before these.
#include <hwy/highway.h>

#include "solis/nn/kernels/bf16-inl.h"
#include "solis/nn/kernels/tile-inl.h"

HWY_BEFORE_NAMESPACE();
namespace solis::nn::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

using Tag = PanelTag;
using Vec = hn::Vec<Tag>;
using Bits = hn::Vec<Bf16Bits>;
using Row = TileRow<Vec>;
using BitsRow = TileRow<Bits>;

constexpr std::size_t kDepthBlock = 512;
// Where pairs are widened, that takes registers: of 16, six rows would leave none.
constexpr std::size_t kTileRows = kWholePanels ? kMostTileRows : 4;
constexpr std::size_t kTileColumns = kWholePanels ? kMostTileColumns : 4;

template <class Format>
HWY_INLINE void convert_panel(const StridedFloats& from, const float* at, Bf16Places to) {
    const Tag d;
    const std::size_t lanes = hn::Lanes(d);
    for (std::size_t row = 0; row < from.rows; row += 2, at += 2 * from.row_step) {
        const bool has_second = row + 1 < from.rows;
        for (std::size_t part = 0; part < kPanel; part += lanes) {
            const Vec first = hn::LoadU(d, at + part);
            const Vec second = has_second ? hn::LoadU(d, at + from.row_step + part) : hn::Zero(d);
            to.store<Format>(first, second, has_second, part);
        }
        to.advance();
    }
}

void convert_kernel(const StridedFloats& from, Bf16* rows, Bf16* pairs) {
    const std::size_t lines = (from.rows + 1) / 2;
    with_best_bf16([&](auto format) HWY_ATTR {
        for (std::size_t col = 0; col < from.cols; col += kPanel) {
            convert_panel<decltype(format)>(from, from.data + col / kPanel * from.panel_step,
                                            {rows == nullptr ? nullptr : rows + col * from.rows,
                                             pairs == nullptr ? nullptr : pairs + col * 2 * lines});
        }
    });
}

// 8 lines of a panel from 16 rows of another, 8 pairs each; rows from `count` on are 0.
void transpose_block(const Bf16* from, std::size_t count, Bf16* to) {
#if HWY_TARGET == HWY_AVX3
    const auto row = [&](std::size_t i) HWY_ATTR {
        return i < count ? _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from + i * kPanel))
                         : _mm256_setzero_si256();
    };
    const auto two = [&](std::size_t i) HWY_ATTR {
        return _mm512_inserti64x4(_mm512_castsi256_si512(row(i)), row(i + 4), 1);
    };
    __m512i columns[2][4];  // 4 pairs of 8 rows, and the next 4 pairs of these in between
    for (std::size_t half = 0; half < 2; ++half) {
        const std::size_t i = 8 * half;
        const __m512i low01 = _mm512_unpacklo_epi32(two(i), two(i + 1));
        const __m512i high01 = _mm512_unpackhi_epi32(two(i), two(i + 1));
        const __m512i low23 = _mm512_unpacklo_epi32(two(i + 2), two(i + 3));
        const __m512i high23 = _mm512_unpackhi_epi32(two(i + 2), two(i + 3));
        columns[half][0] = _mm512_unpacklo_epi64(low01, low23);
        columns[half][1] = _mm512_unpackhi_epi64(low01, low23);
        columns[half][2] = _mm512_unpacklo_epi64(high01, high23);
        columns[half][3] = _mm512_unpackhi_epi64(high01, high23);
    }
    for (std::size_t k = 0; k < 4; ++k) {
        const __m512i a = columns[0][k], b = columns[1][k];
        _mm512_storeu_si512(to + k * 2 * kPanel, _mm512_shuffle_i32x4(a, b, 0x88));
        _mm512_storeu_si512(to + (k + 4) * 2 * kPanel, _mm512_shuffle_i32x4(a, b, 0xDD));
    }
#else
    for (std::size_t k = 0; k < kPanel / 2; ++k, to += 2 * kPanel) {
        for (std::size_t i = 0; i < count; ++i) {
            std::memcpy(to + 2 * i, from + i * kPanel + 2 * k, 2 * sizeof(Bf16));
        }
        std::fill(to + 2 * count, to + 2 * kPanel, Bf16{0});
    }
#endif
}

// Pairs of columns become pairs of rows: they stay together.
void transpose_kernel(ConstBf16Rows from, Bf16Pairs to) {
    for (std::size_t first = 0; first < to.cols; first += kPanel) {
        const std::size_t count = std::min(kPanel, to.cols - first);
        Bf16* target = to.data + first * to.rows;
        for (std::size_t col = 0; col < from.cols; col += kPanel, target += kPanel * kPanel) {
            transpose_block(from.data + col * from.rows + first * kPanel, count, target);
        }
    }
}

// Where a tile's sums start and where they go.
struct Bf16Target {
    float* to;          // first row
    const float* bias;  // null: none
    bool add;
};

// What is done with each row of a tile are objects with functions, because compilers call lambdas
// of this size, and what is called has its sums in memory.
struct StartSums {
    const Bf16Target& target;

    HWY_INLINE Vec start(std::size_t first) const {
        const Tag d;
        return target.bias == nullptr ? hn::Zero(d) : hn::LoadU(d, target.bias + first);
    }
    HWY_INLINE void operator()(std::size_t row, OneVector<Vec>& sum) const {
        // What is there already is added in the end; it has arrived by then.
        if (target.add) hwy::Prefetch(target.to + row * kPanel);
        sum.v0 = start(0);
    }
    HWY_INLINE void operator()(std::size_t row, TwoVectors<Vec>& sum) const {
        if (target.add) hwy::Prefetch(target.to + row * kPanel);
        sum.v0 = start(0);
        sum.v1 = start(hn::Lanes(Tag()));
    }
};

template <class Format, class Line>
struct AddProducts {
    const Bf16* a;     // the first row's pair
    std::size_t step;  // values from one row's pair to the next one's
    Line b;

    HWY_INLINE Bits pair_of(std::size_t row) const {
        std::uint32_t pair;
        std::memcpy(&pair, a + row * step, sizeof(pair));
        return hn::Set(Bf16Bits(), pair);
    }
    HWY_INLINE void operator()(std::size_t row, OneVector<Vec>& sum) const {
        Format::add(sum.v0, pair_of(row), b.v0);
    }
    HWY_INLINE void operator()(std::size_t row, TwoVectors<Vec>& sum) const {
        const Bits x = pair_of(row);
        Format::add(sum.v0, x, b.v0);
        Format::add(sum.v1, x, b.v1);
    }
};

struct StoreSums {
    const Bf16Target& target;

    HWY_INLINE void store(std::size_t row, Vec sum, std::size_t first) const {
        const Tag d;
        float* const to = target.to + row * kPanel + first;
        if (target.add) sum = hn::Add(sum, hn::LoadU(d, to));
        hn::StoreU(sum, d, to);
    }
    HWY_INLINE void operator()(std::size_t row, OneVector<Vec>& sum) const {
        store(row, sum.v0, 0);
    }
    HWY_INLINE void operator()(std::size_t row, TwoVectors<Vec>& sum) const {
        store(row, sum.v0, 0);
        store(row, sum.v1, hn::Lanes(Tag()));
    }
};

// Which of the two is used depends on the width of vectors.
[[maybe_unused]] HWY_INLINE void load_line(const Bf16* from, OneVector<Bits>& to) {
    to.v0 = hn::LoadU(Bf16Bits(), reinterpret_cast<const std::uint32_t*>(from));
}
[[maybe_unused]] HWY_INLINE void load_line(const Bf16* from, TwoVectors<Bits>& to) {
    const std::size_t lanes = hn::Lanes(Bf16Bits());
    to.v0 = hn::LoadU(Bf16Bits(), reinterpret_cast<const std::uint32_t*>(from));
    to.v1 = hn::LoadU(Bf16Bits(), reinterpret_cast<const std::uint32_t*>(from + 2 * lanes));
}

// One tile of a depth block: `lines` pairs of the depth, `group` of them side by side in `a`, and
// then a_step values from there to the next group.
struct Bf16Tile {
    const Bf16* a;
    std::size_t row_step;   // from one row of the tile to the next
    std::size_t pair_step;  // from one pair of the depth to the next
    std::size_t group;
    std::size_t group_step;
    const Bf16* b;
    std::size_t lines;
};

// A function of its own: among others, compilers keep some of the sums in memory.
template <class Format, std::size_t kRows>
HWY_NOINLINE void bf16_tile(const Bf16Tile& tile, const Bf16Target& target) {
    TileSums<Row, kRows> sums;
    sums.each(StartSums{target});
    const Bf16* b = tile.b;
    const Bf16* group = tile.a;
    const std::size_t row_step = tile.row_step, pair_step = tile.pair_step;
    for (std::size_t left = tile.lines; left > 0; group += tile.group_step) {
        const std::size_t count = std::min(left, tile.group);
        const Bf16* a = group;
        for (std::size_t k = 0; k < count; ++k, a += pair_step, b += 2 * kPanel) {
            AddProducts<Format, BitsRow> add{a, row_step, {}};
            load_line(b, add.b);
            sums.each(add);
        }
        left -= count;
    }
    sums.each(StoreSums{target});
}

// Fetches [from, to) of a panel of b, line by line.
HWY_INLINE void fetch(const Bf16* panel, std::size_t from, std::size_t to) {
    for (std::size_t line = from; line < to; ++line) hwy::Prefetch(panel + line * 2 * kPanel);
}

template <class Format>
HWY_INLINE void multiply_with(ConstBf16Rows a, ConstBf16Pairs b, const float* bias, Panels c,
                              Into into) {
    const std::size_t width = tile_width(), b_panel = 2 * kPanel * b.lines();
    for (std::size_t k = 0; k < a.cols; k += kDepthBlock) {
        const std::size_t lines = (std::min(kDepthBlock, a.cols - k) + 1) / 2;
        const bool add = into == Into::Add || k > 0;
        for (std::size_t col = 0; col < c.cols; col += kPanel) {
            const Bf16* const panel = b.data + col / kPanel * b_panel + k * kPanel;
            // While one panel is used, the next one is fetched: a share with each tile.
            const Bf16* const next = col + kPanel >= c.cols ? panel : panel + b_panel;
            for (std::size_t part = 0; part < kPanel; part += width) {
                const float* const start = bias == nullptr || k > 0 ? nullptr : bias + col + part;
                for_tiles<kTileRows>(a.rows, [&](auto n, std::size_t row) HWY_ATTR {
                    fetch(next, lines * row / a.rows, lines * (row + n()) / a.rows);
                    bf16_tile<Format, n()>(
                        {a.data + k * a.rows + row * kPanel, kPanel, 2, kPanel / 2, kPanel * a.rows,
                         panel + 2 * part, lines},
                        {c.data + col * c.rows + row * kPanel + part, start, add});
                });
            }
        }
    }
}

template <class Format>
HWY_INLINE void multiply_transposed_with(ConstBf16Pairs a, ConstBf16Pairs b, Panels c, Into into) {
    const std::size_t width = tile_width(), lines = a.lines();
    const std::size_t panel = 2 * kPanel * lines;
    for (std::size_t col = 0; col < b.cols; col += kPanel) {
        for (std::size_t part = 0; part < kPanel; part += width) {
            const Bf16* const from = b.data + col / kPanel * panel + 2 * part;
            float* const to = c.data + col * c.rows + part;
            for (std::size_t first = 0; first < a.cols; first += kPanel) {
                const std::size_t rows = std::min(kPanel, a.cols - first);
                for_tiles<kTileColumns>(rows, [&](auto n, std::size_t row) HWY_ATTR {
                    bf16_tile<Format, n()>(
                        {a.data + first / kPanel * panel + 2 * row, 2, 2 * kPanel, lines, 0, from,
                         lines},
                        {to + (first + row) * kPanel, nullptr, into == Into::Add});
                });
            }
        }
    }
}

void multiply_kernel(ConstBf16Rows a, ConstBf16Pairs b, const float* bias, Panels c, Into into) {
    with_best_bf16([&](auto format)
                       HWY_ATTR { multiply_with<decltype(format)>(a, b, bias, c, into); });
}

void multiply_transposed_kernel(ConstBf16Pairs a, ConstBf16Pairs b, Panels c, Into into) {
    with_best_bf16([&](auto format)
                       HWY_ATTR { multiply_transposed_with<decltype(format)>(a, b, c, into); });
}

bool has_fast_kernel() {
    bool is_fast = false;
    with_best_bf16([&](auto format) { is_fast = !std::is_same_v<decltype(format), AnyBf16>; });
    return is_fast;
}

}  // namespace
}  // namespace solis::nn::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace solis::nn {

HWY_EXPORT(convert_kernel);
HWY_EXPORT(transpose_kernel);
HWY_EXPORT(multiply_kernel);
HWY_EXPORT(multiply_transposed_kernel);
HWY_EXPORT(has_fast_kernel);

namespace {

void convert_panels(ConstPanels from, Bf16* rows, Bf16* pairs) {
    HWY_DYNAMIC_DISPATCH(convert_kernel)
    ({from.data, from.rows, from.cols, kPanel, kPanel * from.rows}, rows, pairs);
}

}  // namespace

bool has_fast_bf16() { return HWY_DYNAMIC_DISPATCH(has_fast_kernel)(); }

void to_bf16(ConstPanels from, Bf16Rows rows) {
    assert(from.rows == rows.rows && from.cols == rows.cols);
    convert_panels(from, rows.data, nullptr);
}

void to_bf16(ConstPanels from, Bf16Pairs pairs) {
    assert(from.rows == pairs.rows && from.cols == pairs.cols);
    convert_panels(from, nullptr, pairs.data);
}

void to_bf16(ConstPanels from, Bf16Rows rows, Bf16Pairs pairs) {
    assert(from.rows == rows.rows && from.cols == rows.cols);
    assert(from.rows == pairs.rows && from.cols == pairs.cols);
    convert_panels(from, rows.data, pairs.data);
}

void transpose(ConstBf16Rows from, Bf16Pairs to) {
    assert(from.rows == to.cols && from.cols == to.rows && from.cols % kPanel == 0);
    HWY_DYNAMIC_DISPATCH(transpose_kernel)(from, to);
}

void multiply(ConstBf16Rows a, ConstBf16Pairs b, const float* bias, Panels c, Into into) {
    assert(a.cols == b.rows && a.rows == c.rows && b.cols == c.cols);
    assert(bias == nullptr || into == Into::Overwrite);
    HWY_DYNAMIC_DISPATCH(multiply_kernel)(a, b, bias, c, into);
}

void multiply_transposed(ConstBf16Pairs a, ConstBf16Pairs b, Panels c, Into into) {
    assert(a.rows == b.rows && a.cols == c.rows && b.cols == c.cols);
    HWY_DYNAMIC_DISPATCH(multiply_transposed_kernel)(a, b, c, into);
}

void Bf16Matrix::pack(const float* from, std::size_t rows, std::size_t cols) {
    assert(rows % kPanel == 0 && cols % kPanel == 0);
    rows_ = rows;
    cols_ = cols;
    values_.resize(rows * cols);
    HWY_DYNAMIC_DISPATCH(convert_kernel)
    ({from, rows, cols, cols, kPanel}, nullptr, values_.data());
}

void Bf16Matrix::pack_transposed(const float* from, std::size_t rows, std::size_t cols) {
    assert(rows % kPanel == 0 && cols % kPanel == 0);
    AlignedVector<Bf16> plain(rows * cols);
    HWY_DYNAMIC_DISPATCH(convert_kernel)
    ({from, rows, cols, cols, kPanel}, plain.data(), nullptr);
    rows_ = cols;
    cols_ = rows;
    values_.resize(rows * cols);
    transpose(ConstBf16Rows{plain.data(), rows, cols}, Bf16Pairs{values_.data(), cols, rows});
}

}  // namespace solis::nn
#endif
