// NNUE kernels through Highway.
#include "solis/nn/nnue/kernels.h"

#include <cstring>

#ifndef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "solis/nn/nnue/kernels.cpp"
#endif
#include <hwy/foreach_target.h>
// Highway wants the line above before these.
#include <hwy/highway.h>

#include "solis/nn/kernels/dot4-inl.h"

HWY_BEFORE_NAMESPACE();
namespace solis::nn::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

// At most 32 lanes: a row is then always whole vectors.
using NnueShortsTag = hn::CappedTag<std::int16_t, 32>;

// What a move does: known counts let every sum stay in a register.
template <std::size_t kAdded, std::size_t kRemoved>
HWY_INLINE void add_few_rows(const std::int16_t* HWY_RESTRICT table, std::size_t width,
                             const std::int16_t* from, const NnueRows& rows, std::int16_t* to) {
    const NnueShortsTag d;
    const std::int16_t* const a0 = table + rows.added[0] * width;
    const std::int16_t* const a1 = kAdded > 1 ? table + rows.added[1] * width : a0;
    const std::int16_t* const r0 = table + rows.removed[0] * width;
    const std::int16_t* const r1 = kRemoved > 1 ? table + rows.removed[1] * width : r0;
    for (std::size_t i = 0; i < width; i += hn::Lanes(d)) {
        auto sum =
            hn::Sub(hn::Add(hn::Load(d, from + i), hn::Load(d, a0 + i)), hn::Load(d, r0 + i));
        if constexpr (kAdded > 1) sum = hn::Add(sum, hn::Load(d, a1 + i));
        if constexpr (kRemoved > 1) sum = hn::Sub(sum, hn::Load(d, r1 + i));
        hn::Store(sum, d, to + i);
    }
}

// Any number of rows: two vectors of each row at a time.
HWY_INLINE void add_many_rows(const std::int16_t* HWY_RESTRICT table, std::size_t width,
                              const std::int16_t* from, const NnueRows& rows, std::int16_t* to) {
    const NnueShortsTag d;
    const std::size_t lanes = hn::Lanes(d);
    for (std::size_t i = 0; i < width; i += 2 * lanes) {
        auto s0 = hn::Load(d, from + i), s1 = hn::Load(d, from + i + lanes);
        for (std::size_t n = 0; n < rows.added_count; ++n) {
            const std::int16_t* const row = table + rows.added[n] * width + i;
            s0 = hn::Add(s0, hn::Load(d, row)), s1 = hn::Add(s1, hn::Load(d, row + lanes));
        }
        for (std::size_t n = 0; n < rows.removed_count; ++n) {
            const std::int16_t* const row = table + rows.removed[n] * width + i;
            s0 = hn::Sub(s0, hn::Load(d, row)), s1 = hn::Sub(s1, hn::Load(d, row + lanes));
        }
        hn::Store(s0, d, to + i);
        hn::Store(s1, d, to + i + lanes);
    }
}

void add_rows_kernel(const std::int16_t* HWY_RESTRICT table, std::size_t width,
                     const std::int16_t* from, const NnueRows& rows, std::int16_t* to) {
    if (rows.added_count == 1 && rows.removed_count == 1) {
        add_few_rows<1, 1>(table, width, from, rows, to);
    } else if (rows.added_count == 1 && rows.removed_count == 2) {
        add_few_rows<1, 2>(table, width, from, rows, to);
    } else if (rows.added_count == 2 && rows.removed_count == 2) {
        add_few_rows<2, 2>(table, width, from, rows, to);
    } else {
        add_many_rows(table, width, from, rows, to);
    }
}

void multiply_halves_kernel(const std::int16_t* HWY_RESTRICT sums, std::size_t half,
                            std::uint8_t* HWY_RESTRICT out) {
    const NnueShortsTag d;
    const hn::Rebind<std::uint8_t, NnueShortsTag> d8;
    const auto zero = hn::Zero(d), top = hn::Set(d, std::int16_t{127});
    for (std::size_t i = 0; i < half; i += hn::Lanes(d)) {
        const auto a = hn::Min(hn::Max(hn::Load(d, sums + i), zero), top);
        const auto b = hn::Min(hn::Max(hn::Load(d, sums + half + i), zero), top);
        hn::Store(hn::DemoteTo(d8, hn::ShiftRight<7>(hn::Mul(a, b))), d8, out + i);
    }
}

HWY_INLINE QuadSums broadcast_quad(QuadSumsTag d, const std::uint8_t* x) {
    std::int32_t quad;
    std::memcpy(&quad, x, sizeof(quad));
    return hn::Set(d, quad);
}

// Outputs [first, first + lanes) of a layer; four sums hide the time of an addition.
template <class Dot>
HWY_INLINE void layer_columns(const std::uint8_t* HWY_RESTRICT x, std::size_t depth,
                              const std::int8_t* HWY_RESTRICT weight, std::size_t outputs,
                              const std::int32_t* HWY_RESTRICT bias, std::size_t first,
                              std::int32_t* HWY_RESTRICT y) {
    const QuadSumsTag d;
    const hn::Repartition<std::int8_t, QuadSumsTag> d8;
    const auto load = [&](std::size_t k) HWY_ATTR {
        return hn::BitCast(d, hn::Load(d8, weight + k * outputs + 4 * first));
    };
    auto s0 = hn::LoadU(d, bias + first), s1 = hn::Zero(d), s2 = s1, s3 = s1;
    for (std::size_t k = 0; k < depth; k += 16) {
        Dot::add(s0, broadcast_quad(d, x + k), load(k));
        Dot::add(s1, broadcast_quad(d, x + k + 4), load(k + 4));
        Dot::add(s2, broadcast_quad(d, x + k + 8), load(k + 8));
        Dot::add(s3, broadcast_quad(d, x + k + 12), load(k + 12));
    }
    hn::Store(hn::Add(hn::Add(s0, s1), hn::Add(s2, s3)), d, y + first);
}

void layer16_kernel(const std::uint8_t* HWY_RESTRICT x, std::size_t depth,
                    const std::int8_t* HWY_RESTRICT weight, const std::int32_t* HWY_RESTRICT bias,
                    std::int32_t* HWY_RESTRICT y) {
    with_best_dot4([&](auto dot) HWY_ATTR {
        for (std::size_t j = 0; j < 16; j += hn::Lanes(QuadSumsTag())) {
            layer_columns<decltype(dot)>(x, depth, weight, 16, bias, j, y);
        }
    });
}

void layer32_kernel(const std::uint8_t* HWY_RESTRICT x, const std::int8_t* HWY_RESTRICT weight,
                    const std::int32_t* HWY_RESTRICT bias, std::int32_t* HWY_RESTRICT y) {
    with_best_dot4([&](auto dot) HWY_ATTR {
        for (std::size_t j = 0; j < 32; j += hn::Lanes(QuadSumsTag())) {
            layer_columns<decltype(dot)>(x, 32, weight, 32, bias, j, y);
        }
    });
}

}  // namespace
}  // namespace solis::nn::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace solis::nn {

HWY_EXPORT(add_rows_kernel);
HWY_EXPORT(multiply_halves_kernel);
HWY_EXPORT(layer16_kernel);
HWY_EXPORT(layer32_kernel);

void nnue_add_rows(const std::int16_t* table, std::size_t width, const std::int16_t* from,
                   const NnueRows& rows, std::int16_t* to) {
    HWY_DYNAMIC_DISPATCH(add_rows_kernel)(table, width, from, rows, to);
}
void nnue_multiply_halves(const std::int16_t* sums, std::size_t half, std::uint8_t* out) {
    HWY_DYNAMIC_DISPATCH(multiply_halves_kernel)(sums, half, out);
}
void nnue_layer16(const std::uint8_t* x, std::size_t depth, const std::int8_t* weight,
                  const std::int32_t* bias, std::int32_t* y) {
    HWY_DYNAMIC_DISPATCH(layer16_kernel)(x, depth, weight, bias, y);
}
void nnue_layer32(const std::uint8_t* x, const std::int8_t* weight, const std::int32_t* bias,
                  std::int32_t* y) {
    HWY_DYNAMIC_DISPATCH(layer32_kernel)(x, weight, bias, y);
}

}  // namespace solis::nn
#endif
