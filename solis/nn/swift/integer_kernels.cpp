// Integer kernels through Highway.
#include "solis/nn/swift/integer_kernels.h"

#include <bit>
#include <cmath>
#include <cstring>
#include <span>

#ifndef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "solis/nn/swift/integer_kernels.cpp"
#endif
#include <hwy/foreach_target.h>
// Highway wants the line above before these.
#include <hwy/highway.h>

#include "solis/nn/kernels/dot2-inl.h"

HWY_BEFORE_NAMESPACE();
namespace solis::nn::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

// At most 32 lanes: a row is then always whole vectors.
using ShortsTag = hn::CappedTag<std::int16_t, 32>;
using Shorts = hn::Vec<ShortsTag>;
using FloatsTag = hn::CappedTag<float, 8>;

// Four vectors of one row at a time stay in registers while all changes are applied to them.
void update_rows_kernel(const std::int16_t* HWY_RESTRICT table, std::size_t width,
                        const std::int16_t* from, const RowChanges& changes, std::int16_t* to) {
    const ShortsTag d;
    const std::size_t lanes = hn::Lanes(d);
    const std::size_t step = width % (4 * lanes) == 0 ? 4 * lanes : 2 * lanes;
    for (std::size_t i = 0; i < width; i += step) {
        Shorts s0 = hn::Load(d, from + i), s1 = hn::Load(d, from + i + lanes);
        Shorts s2 = s0, s3 = s1;
        const bool four = step == 4 * lanes;
        if (four) {
            s2 = hn::Load(d, from + i + 2 * lanes);
            s3 = hn::Load(d, from + i + 3 * lanes);
        }
        for (std::size_t n = 0; n < changes.added_count; ++n) {
            const std::int16_t* const row = table + changes.added[n] * width + i;
            s0 = hn::Add(s0, hn::Load(d, row)), s1 = hn::Add(s1, hn::Load(d, row + lanes));
            if (!four) continue;
            s2 = hn::Add(s2, hn::Load(d, row + 2 * lanes));
            s3 = hn::Add(s3, hn::Load(d, row + 3 * lanes));
        }
        for (std::size_t n = 0; n < changes.removed_count; ++n) {
            const std::int16_t* const row = table + changes.removed[n] * width + i;
            s0 = hn::Sub(s0, hn::Load(d, row)), s1 = hn::Sub(s1, hn::Load(d, row + lanes));
            if (!four) continue;
            s2 = hn::Sub(s2, hn::Load(d, row + 2 * lanes));
            s3 = hn::Sub(s3, hn::Load(d, row + 3 * lanes));
        }
        hn::Store(s0, d, to + i);
        hn::Store(s1, d, to + i + lanes);
        if (!four) continue;
        hn::Store(s2, d, to + i + 2 * lanes);
        hn::Store(s3, d, to + i + 3 * lanes);
    }
}

HWY_INLINE Shorts clamped(ShortsTag d, const std::int16_t* sums, int shift) {
    const Shorts top = hn::Set(d, static_cast<std::int16_t>(kAccumulatorOne >> shift));
    const Shorts v = hn::Min(hn::Max(hn::Load(d, sums), hn::Zero(d)), top);
    return hn::ShiftLeftSame(v, shift + kActivationBits);
}

void activate_squared_kernel(const std::int16_t* HWY_RESTRICT sums, std::size_t width, int shift,
                             std::int16_t* HWY_RESTRICT out) {
    const ShortsTag d;
    for (std::size_t i = 0; i < width; i += hn::Lanes(d)) {
        const Shorts v = clamped(d, sums + i, shift);
        hn::Store(hn::MulFixedPoint15(v, v), d, out + i);
    }
}

void activate_pairs_kernel(const std::int16_t* HWY_RESTRICT sums, std::size_t width, int shift,
                           std::int16_t* HWY_RESTRICT out) {
    const ShortsTag d;
    const std::size_t half = width / 2;
    for (std::size_t i = 0; i < half; i += hn::Lanes(d)) {
        const Shorts a = clamped(d, sums + i, shift), b = clamped(d, sums + half + i, shift);
        hn::Store(hn::MulFixedPoint15(a, b), d, out + i);
    }
}

constexpr std::size_t kPairsPerWord = 64;

// One bit for each pair of activations that are not both 0. Following set bits is mispredicted once
// a word, where a branch for each pair would be so for many of them.
HWY_INLINE void find_active(const std::int16_t* HWY_RESTRICT x, std::size_t pairs,
                            std::uint64_t* HWY_RESTRICT words) {
    const IntsTag d;
    for (std::size_t first = 0; first < pairs; first += kPairsPerWord) {
        std::uint64_t word = 0;
        const std::size_t count = HWY_MIN(kPairsPerWord, pairs - first);
        for (std::size_t i = 0; i < count; i += hn::Lanes(d)) {
            const auto pair = hn::BitCast(d, hn::LoadU(PairsTag(), x + 2 * (first + i)));
            std::uint8_t bytes[8] = {};
            hn::StoreMaskBits(d, hn::Ne(pair, hn::Zero(d)), bytes);
            std::uint64_t bits;
            std::memcpy(&bits, bytes, 8);
            word |= bits << i;
        }
        words[first / kPairsPerWord] = word;
    }
}

// Columns [first, first + Vectors x lanes) of the output layer.
template <std::size_t Vectors>
HWY_INLINE void output_columns(const std::int16_t* HWY_RESTRICT x,
                               std::span<const std::uint64_t> active,
                               const std::int16_t* HWY_RESTRICT weight, std::size_t dims,
                               std::size_t first, std::int32_t* HWY_RESTRICT sums) {
    const IntsTag d32;
    const PairsTag d16;
    const std::size_t lanes = hn::Lanes(d32);
    hn::Vec<IntsTag> s0 = hn::Zero(d32), s1 = s0, s2 = s0, s3 = s0;
    hn::Vec<IntsTag> s4 = s0, s5 = s0, s6 = s0, s7 = s0;
    for (std::size_t word = 0; word < active.size(); ++word) {
        for (std::uint64_t bits = active[word]; bits != 0; bits &= bits - 1) {
            const std::size_t k =
                kPairsPerWord * word + static_cast<std::size_t>(std::countr_zero(bits));
            std::int32_t two;
            std::memcpy(&two, x + 2 * k, 4);
            const auto v = hn::BitCast(d16, hn::Set(d32, two));
            const std::int16_t* const w = weight + 2 * (k * dims + first);
            s0 = dot2(s0, v, hn::LoadU(d16, w));
            if constexpr (Vectors > 1) s1 = dot2(s1, v, hn::LoadU(d16, w + 2 * lanes));
            if constexpr (Vectors > 2) s2 = dot2(s2, v, hn::LoadU(d16, w + 4 * lanes));
            if constexpr (Vectors > 3) s3 = dot2(s3, v, hn::LoadU(d16, w + 6 * lanes));
            if constexpr (Vectors > 4) s4 = dot2(s4, v, hn::LoadU(d16, w + 8 * lanes));
            if constexpr (Vectors > 5) s5 = dot2(s5, v, hn::LoadU(d16, w + 10 * lanes));
            if constexpr (Vectors > 6) s6 = dot2(s6, v, hn::LoadU(d16, w + 12 * lanes));
            if constexpr (Vectors > 7) s7 = dot2(s7, v, hn::LoadU(d16, w + 14 * lanes));
        }
    }
    std::int32_t* const to = sums + first;
    hn::StoreU(s0, d32, to);
    if constexpr (Vectors > 1) hn::StoreU(s1, d32, to + lanes);
    if constexpr (Vectors > 2) hn::StoreU(s2, d32, to + 2 * lanes);
    if constexpr (Vectors > 3) hn::StoreU(s3, d32, to + 3 * lanes);
    if constexpr (Vectors > 4) hn::StoreU(s4, d32, to + 4 * lanes);
    if constexpr (Vectors > 5) hn::StoreU(s5, d32, to + 5 * lanes);
    if constexpr (Vectors > 6) hn::StoreU(s6, d32, to + 6 * lanes);
    if constexpr (Vectors > 7) hn::StoreU(s7, d32, to + 7 * lanes);
}

constexpr std::size_t kMaxDims = 1024;

void output_layer_kernel(const std::int16_t* HWY_RESTRICT x, std::size_t hidden,
                         const std::int16_t* HWY_RESTRICT weight, const float* HWY_RESTRICT scale,
                         const float* HWY_RESTRICT bias, std::size_t dims, float* HWY_RESTRICT y) {
    alignas(64) std::int32_t sums[kMaxDims];
    std::uint64_t words[kMaxHidden / 2 / kPairsPerWord];
    find_active(x, hidden / 2, words);
    const std::span<const std::uint64_t> active(words,
                                                (hidden / 2 + kPairsPerWord - 1) / kPairsPerWord);
    const std::size_t lanes = hn::Lanes(IntsTag());
    std::size_t j = 0;
    for (; j + 8 * lanes <= dims; j += 8 * lanes)
        output_columns<8>(x, active, weight, dims, j, sums);
    for (; j + 4 * lanes <= dims; j += 4 * lanes)
        output_columns<4>(x, active, weight, dims, j, sums);
    for (; j + 2 * lanes <= dims; j += 2 * lanes)
        output_columns<2>(x, active, weight, dims, j, sums);
    for (; j + lanes <= dims; j += lanes) output_columns<1>(x, active, weight, dims, j, sums);
    for (; j < dims; ++j) {
        sums[j] = 0;
        for (std::size_t k = 0; k < hidden; ++k) {
            sums[j] += x[k] * weight[(k - k % 2) * dims + 2 * j + k % 2];
        }
    }
    const FloatsTag d;
    const hn::Rebind<std::int32_t, FloatsTag> d32;
    for (std::size_t i = 0; i < dims; i += hn::Lanes(d)) {
        const auto sum = hn::ConvertTo(d, hn::LoadU(d32, sums + i));
        hn::StoreU(hn::MulAdd(sum, hn::LoadU(d, scale + i), hn::LoadU(d, bias + i)), d, y + i);
    }
}

float cosine_kernel(const float* HWY_RESTRICT y, const float* HWY_RESTRICT axis, std::size_t dims) {
    const FloatsTag d;
    auto along = hn::Zero(d), square = hn::Zero(d);
    for (std::size_t i = 0; i < dims; i += hn::Lanes(d)) {
        const auto v = hn::LoadU(d, y + i);
        along = hn::MulAdd(v, hn::LoadU(d, axis + i), along);
        square = hn::MulAdd(v, v, square);
    }
    const float length = std::sqrt(hn::GetLane(hn::SumOfLanes(d, square)));
    return hn::GetLane(hn::SumOfLanes(d, along)) / (length > 1e-12f ? length : 1e-12f);
}

}  // namespace
}  // namespace solis::nn::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace solis::nn {

HWY_EXPORT(update_rows_kernel);
HWY_EXPORT(activate_squared_kernel);
HWY_EXPORT(activate_pairs_kernel);
HWY_EXPORT(output_layer_kernel);
HWY_EXPORT(cosine_kernel);

void update_rows(const std::int16_t* table, std::size_t width, const std::int16_t* from,
                 const RowChanges& changes, std::int16_t* to) {
    HWY_DYNAMIC_DISPATCH(update_rows_kernel)(table, width, from, changes, to);
}
void activate_squared(const std::int16_t* sums, std::size_t width, int shift, std::int16_t* out) {
    HWY_DYNAMIC_DISPATCH(activate_squared_kernel)(sums, width, shift, out);
}
void activate_pairs(const std::int16_t* sums, std::size_t width, int shift, std::int16_t* out) {
    HWY_DYNAMIC_DISPATCH(activate_pairs_kernel)(sums, width, shift, out);
}
void output_layer(const std::int16_t* x, std::size_t hidden, const std::int16_t* weight,
                  const float* scale, const float* bias, std::size_t dims, float* y) {
    HWY_DYNAMIC_DISPATCH(output_layer_kernel)(x, hidden, weight, scale, bias, dims, y);
}
float cosine_with_unit(const float* y, const float* axis, std::size_t dims) {
    return HWY_DYNAMIC_DISPATCH(cosine_kernel)(y, axis, dims);
}

}  // namespace solis::nn
#endif
