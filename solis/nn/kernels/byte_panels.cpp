// Products of 8-bit panel matrices: four products are added in 32 bits by one instruction.
#include "solis/nn/kernels/byte_panels.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstring>

#include <hwy/cache_control.h>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "solis/nn/kernels/byte_panels.cpp"
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

void quantize_bytes_kernel(ConstPanels from, ByteRows to) {
    const Tag d;
    const hn::Rebind<std::uint8_t, Tag> d8;
    const std::size_t lanes = hn::Lanes(d), step = from.rows * kPanel;
    for (std::size_t row = 0; row < from.rows; ++row) {
        const float* const first = from.data + row * kPanel;
        const float* const end = first + from.cols * from.rows;
        Vec least = hn::Zero(d), most = hn::Zero(d);
        for (const float* at = first; at < end; at += step) {
            for (std::size_t part = 0; part < kPanel; part += lanes) {
                const Vec x = hn::LoadU(d, at + part);
                least = hn::Min(least, x);
                most = hn::Max(most, x);
            }
        }
        const float low = hn::GetLane(hn::MinOfLanes(d, least));
        const float high = hn::GetLane(hn::MaxOfLanes(d, most));
        const float scale = std::max((high - low) / 255, 1e-30f);  // a row of zeros stays one
        const float zero = std::floor(-low / scale + 0.5f);
        to.scales[row] = scale;
        to.zeros[row] = zero;
        const Vec factor = hn::Set(d, 1 / scale), shift = hn::Set(d, zero);
        std::uint8_t* out = to.data + row * kPanel;
        for (const float* at = first; at < end; at += step, out += step) {
            for (std::size_t part = 0; part < kPanel; part += lanes) {
                const auto bytes =
                    hn::NearestInt(hn::MulAdd(hn::LoadU(d, at + part), factor, shift));
                hn::StoreU(hn::DemoteTo(d8, bytes), d8, out + part);
            }
        }
    }
}

// Where a tile's sums go: y = row scale * column scale * (sum - row zero * column sum) + bias.
struct ByteTarget {
    float* to;
    const float *row_scales, *row_zeros;
    const float *col_scales, *col_sums;
    const float* bias;  // null: none
};

struct ByteTile {
    const std::uint8_t* a;  // first row in the first panel
    std::size_t a_panel;    // bytes from one panel to the next
    std::size_t depth;
    const std::int8_t* b;
};

#if HWY_TARGET == HWY_AVX3
struct ZeroSums {
    HWY_INLINE void operator()(std::size_t, OneVector<__m512i>& sum) const {
        sum.v0 = _mm512_setzero_si512();
    }
};

struct AddQuads {
    const std::uint8_t* a;
    __m512i b;

    HWY_INLINE void operator()(std::size_t row, OneVector<__m512i>& sum) const {
        std::int32_t quad;
        std::memcpy(&quad, a + row * kPanel, sizeof(quad));
        const __m512i x = _mm512_set1_epi32(quad);
        asm("vpdpbusd %2, %1, %0" : "+v"(sum.v0) : "v"(x), "v"(b));
    }
};

struct StoreBytes {
    const ByteTarget& target;
    __m512 col_scales, col_sums, bias;

    HWY_INLINE void operator()(std::size_t row, OneVector<__m512i>& sum) const {
        const __m512 own = _mm512_fnmadd_ps(_mm512_set1_ps(target.row_zeros[row]), col_sums,
                                            _mm512_cvtepi32_ps(sum.v0));
        const __m512 scale = _mm512_mul_ps(_mm512_set1_ps(target.row_scales[row]), col_scales);
        _mm512_storeu_ps(target.to + row * kPanel, _mm512_fmadd_ps(own, scale, bias));
    }
};

// A function of its own: among others, compilers keep some of the sums in memory.
template <std::size_t kRows>
HWY_NOINLINE void byte_tile(const ByteTile& tile, const ByteTarget& target) {
    TileSums<OneVector<__m512i>, kRows> sums;
    sums.each(ZeroSums());
    const std::int8_t* b = tile.b;
    const std::uint8_t* panel = tile.a;
    for (std::size_t k = 0; k < tile.depth; k += kPanel, panel += tile.a_panel) {
        for (std::size_t quad = 0; quad < kPanel; quad += 4, b += 4 * kPanel) {
            sums.each(AddQuads{panel + quad, _mm512_loadu_si512(b)});
        }
    }
    const __m512 bias = target.bias == nullptr ? _mm512_setzero_ps() : _mm512_loadu_ps(target.bias);
    sums.each(StoreBytes{target, _mm512_loadu_ps(target.col_scales),
                         _mm512_loadu_ps(target.col_sums), bias});
}

bool has_instructions() {
    static const bool has_vnni = __builtin_cpu_supports("avx512vnni") != 0;
    return has_vnni;
}
#else
bool has_instructions() { return false; }
#endif

// For tests on other machines, and never fast.
void plain_tile(std::size_t rows, const ByteTile& tile, const ByteTarget& target) {
    for (std::size_t row = 0; row < rows; ++row) {
        for (std::size_t col = 0; col < kPanel; ++col) {
            std::int32_t sum = 0;
            for (std::size_t k = 0; k < tile.depth; ++k) {
                const std::uint8_t x =
                    tile.a[k / kPanel * tile.a_panel + row * kPanel + k % kPanel];
                sum += x * tile.b[(k / 4 * kPanel + col) * 4 + k % 4];
            }
            const float own =
                static_cast<float>(sum) - target.row_zeros[row] * target.col_sums[col];
            const float start = target.bias == nullptr ? 0 : target.bias[col];
            target.to[row * kPanel + col] =
                own * (target.row_scales[row] * target.col_scales[col]) + start;
        }
    }
}

template <std::size_t kRows>
HWY_INLINE void best_tile(const ByteTile& tile, const ByteTarget& target) {
#if HWY_TARGET == HWY_AVX3
    if (has_instructions()) return byte_tile<kRows>(tile, target);
#endif
    plain_tile(kRows, tile, target);
}

void multiply_bytes_kernel(const ByteRows& a, const ByteMatrix& b, const float* bias, Panels c) {
    for (std::size_t col = 0; col < c.cols; col += kPanel) {
        const std::int8_t* const panel = b.values() + col * b.depth();
        // While one panel is used, the next one is fetched: a share with each tile.
        const std::int8_t* const next = col + kPanel >= c.cols ? panel : panel + b.depth() * kPanel;
        const std::size_t lines = b.depth() / 4;
        for_tiles<kMostTileRows>(a.rows, [&](auto n, std::size_t row) HWY_ATTR {
            for (std::size_t i = lines * row / a.rows; i < lines * (row + n()) / a.rows; ++i) {
                hwy::Prefetch(next + i * 4 * kPanel);
            }
            best_tile<n()>(
                {a.data + row * kPanel, a.rows * kPanel, b.depth(), panel},
                {c.data + col * c.rows + row * kPanel, a.scales + row, a.zeros + row,
                 b.scales() + col, b.sums() + col, bias == nullptr ? nullptr : bias + col});
        });
    }
}

}  // namespace
}  // namespace solis::nn::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace solis::nn {

HWY_EXPORT(quantize_bytes_kernel);
HWY_EXPORT(multiply_bytes_kernel);
HWY_EXPORT(has_instructions);

bool has_fast_bytes() { return HWY_DYNAMIC_DISPATCH(has_instructions)(); }

void quantize_rows(ConstPanels from, ByteRows to) {
    assert(from.rows == to.rows && from.cols == to.cols && from.cols % kPanel == 0);
    HWY_DYNAMIC_DISPATCH(quantize_bytes_kernel)(from, to);
}

void ByteMatrix::pack(ConstPanels b) {
    assert(b.rows % kPanel == 0 && b.rows <= 65536);
    depth_ = b.rows;
    values_.assign(panel_floats(b.rows, b.cols), 0);
    scales_.assign(panel_count(b.cols) * kPanel, 0.0f);
    sums_.assign(scales_.size(), 0.0f);
    for (std::size_t col = 0; col < b.cols; ++col) {
        float most = 0;
        for (std::size_t k = 0; k < b.rows; ++k) most = std::max(most, std::abs(b.at(k, col)));
        scales_[col] = std::max(most / 127, 1e-30f);
        for (std::size_t k = 0; k < b.rows; ++k) {
            const long value = std::lround(b.at(k, col) / scales_[col]);
            const std::size_t at =
                (col / kPanel * depth_ + k / 4 * 4) * kPanel + col % kPanel * 4 + k % 4;
            values_[at] = static_cast<std::int8_t>(value);
            sums_[col] += static_cast<float>(value);
        }
    }
}

void multiply(const ByteRows& a, const ByteMatrix& b, const float* bias, Panels c) {
    assert(a.cols == b.depth() && a.rows == c.rows && c.cols <= b.cols());
    HWY_DYNAMIC_DISPATCH(multiply_bytes_kernel)(a, b, bias, c);
}

}  // namespace solis::nn
#endif
