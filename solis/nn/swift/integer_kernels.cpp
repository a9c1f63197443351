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

// Columns [first, first + Vectors x lanes) of all rows, which stay in registers meanwhile.
template <std::size_t Vectors>
HWY_INLINE void update_columns(const std::int16_t* HWY_RESTRICT table, std::size_t width,
                               std::size_t first, const std::int16_t* from,
                               const RowChanges& changes, std::int16_t* to) {
    const ShortsTag d;
    const std::size_t lanes = hn::Lanes(d);
    Shorts sums[Vectors];
    for (std::size_t v = 0; v < Vectors; ++v) sums[v] = hn::Load(d, from + first + v * lanes);
    for (std::size_t n = 0; n < changes.added_count; ++n) {
        const std::int16_t* const row = table + changes.added[n] * width + first;
        for (std::size_t v = 0; v < Vectors; ++v) {
            sums[v] = hn::Add(sums[v], hn::Load(d, row + v * lanes));
        }
    }
    for (std::size_t n = 0; n < changes.removed_count; ++n) {
        const std::int16_t* const row = table + changes.removed[n] * width + first;
        for (std::size_t v = 0; v < Vectors; ++v) {
            sums[v] = hn::Sub(sums[v], hn::Load(d, row + v * lanes));
        }
    }
    for (std::size_t v = 0; v < Vectors; ++v) hn::Store(sums[v], d, to + first + v * lanes);
}

// The fewer times the changes are gone through, the better: eight vectors at a time are 256 columns
// with AVX-512, and half of the registers where there are only sixteen.
void update_rows_kernel(const std::int16_t* HWY_RESTRICT table, std::size_t width,
                        const std::int16_t* from, const RowChanges& changes, std::int16_t* to) {
    const std::size_t lanes = hn::Lanes(ShortsTag());
    std::size_t i = 0;
    for (; i + 8 * lanes <= width; i += 8 * lanes) {
        update_columns<8>(table, width, i, from, changes, to);
    }
    for (; i < width; i += 2 * lanes) update_columns<2>(table, width, i, from, changes, to);
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

// The pairs of activations that are not both 0, with the place of their weights. Their number is
// rounded up to whole groups by pairs of zeros.
struct ActivePairs {
    static constexpr std::size_t kGroup = 4;
    static constexpr std::size_t kRoom = kMaxHidden / 2 + hn::MaxLanes(IntsTag()) + kGroup;

    std::size_t size = 0;
    alignas(64) std::int32_t values[kRoom];  // two of 16 bits each
    alignas(64) std::int32_t places[kRoom];  // index of the first weight
};

// Written down first, because a loop over all of them is mispredicted once, where a branch for each
// pair would be so for many of them.
HWY_INLINE void list_active(const std::int16_t* HWY_RESTRICT x, std::size_t pairs, std::size_t dims,
                            ActivePairs& active) {
    const IntsTag d;
    const auto row = static_cast<std::int32_t>(2 * dims);
    auto places = hn::Mul(hn::Iota(d, 0), hn::Set(d, row));
    const auto step = hn::Set(d, row * static_cast<std::int32_t>(hn::Lanes(d)));
    std::size_t size = 0;
    for (std::size_t i = 0; i < pairs; i += hn::Lanes(d)) {
        const auto pair = hn::BitCast(d, hn::LoadU(PairsTag(), x + 2 * i));
        const auto is_active = hn::Ne(pair, hn::Zero(d));
        hn::StoreU(hn::Compress(pair, is_active), d, active.values + size);
        hn::StoreU(hn::Compress(places, is_active), d, active.places + size);
        size += hn::CountTrue(d, is_active);
        places = hn::Add(places, step);
    }
    for (; size % ActivePairs::kGroup != 0; ++size) {
        active.values[size] = active.places[size] = 0;
    }
    active.size = size;
}

// Columns [first, first + Vectors x lanes) of the output layer. Sum number K, of eight, is that of
// vector K % Vectors over every so manieth pair: adding to the same sum, each pair would have to
// wait for the one before it.
template <class Dot, std::size_t Vectors>
class OutputColumns {
  public:
    OutputColumns(const ActivePairs& active, const std::int16_t* HWY_RESTRICT weight,
                  std::size_t first)
        : active_(active), weight_(weight + 2 * first) {}

    HWY_INLINE void add_up(std::int32_t* HWY_RESTRICT to) const {
        const IntsTag d;
        const std::size_t lanes = hn::Lanes(d);
        Ints s0 = hn::Zero(d), s1 = s0, s2 = s0, s3 = s0, s4 = s0, s5 = s0, s6 = s0, s7 = s0;
        for (std::size_t i = 0; i < active_.size; i += kPairs) {
            add<0>(i, s0), add<1>(i, s1), add<2>(i, s2), add<3>(i, s3);
            add<4>(i, s4), add<5>(i, s5), add<6>(i, s6), add<7>(i, s7);
        }
        if constexpr (Vectors <= 4) {
            s0 = hn::Add(s0, s4), s1 = hn::Add(s1, s5), s2 = hn::Add(s2, s6), s3 = hn::Add(s3, s7);
        }
        if constexpr (Vectors <= 2) s0 = hn::Add(s0, s2), s1 = hn::Add(s1, s3);
        if constexpr (Vectors <= 1) s0 = hn::Add(s0, s1);
        hn::StoreU(s0, d, to);
        if constexpr (Vectors > 1) hn::StoreU(s1, d, to + lanes);
        if constexpr (Vectors > 2) hn::StoreU(s2, d, to + 2 * lanes);
        if constexpr (Vectors > 2) hn::StoreU(s3, d, to + 3 * lanes);
        if constexpr (Vectors > 4) hn::StoreU(s4, d, to + 4 * lanes);
        if constexpr (Vectors > 4) hn::StoreU(s5, d, to + 5 * lanes);
        if constexpr (Vectors > 4) hn::StoreU(s6, d, to + 6 * lanes);
        if constexpr (Vectors > 4) hn::StoreU(s7, d, to + 7 * lanes);
    }

  private:
    using Ints = hn::Vec<IntsTag>;
    static constexpr std::size_t kPairs = HWY_MIN(8 / Vectors, ActivePairs::kGroup);

    template <std::size_t K>
    HWY_INLINE void add(std::size_t i, Ints& sum) const {
        constexpr std::size_t kPair = K / Vectors, kVector = K % Vectors;
        if constexpr (kPair < kPairs) {
            const PairsTag d;
            const auto x = hn::BitCast(d, hn::Set(IntsTag(), active_.values[i + kPair]));
            const std::int16_t* const w = weight_ + active_.places[i + kPair];
            Dot::add(sum, x, hn::LoadU(d, w + kVector * hn::Lanes(d)));
        }
    }

    const ActivePairs& active_;
    const std::int16_t* HWY_RESTRICT weight_;
};

constexpr std::size_t kMaxDims = 1024;

// All columns in whole vectors. Returns how many they are.
template <class Dot>
HWY_INLINE std::size_t output_vectors(const ActivePairs& active,
                                      const std::int16_t* HWY_RESTRICT weight, std::size_t dims,
                                      std::int32_t* HWY_RESTRICT sums) {
    const std::size_t lanes = hn::Lanes(IntsTag());
    std::size_t j = 0;
    for (; j + 8 * lanes <= dims; j += 8 * lanes)
        OutputColumns<Dot, 8>(active, weight, j).add_up(sums + j);
    for (; j + 4 * lanes <= dims; j += 4 * lanes)
        OutputColumns<Dot, 4>(active, weight, j).add_up(sums + j);
    for (; j + 2 * lanes <= dims; j += 2 * lanes)
        OutputColumns<Dot, 2>(active, weight, j).add_up(sums + j);
    for (; j + lanes <= dims; j += lanes) OutputColumns<Dot, 1>(active, weight, j).add_up(sums + j);
    return j;
}

void output_layer_kernel(const std::int16_t* HWY_RESTRICT x, std::size_t hidden,
                         const std::int16_t* HWY_RESTRICT weight, const float* HWY_RESTRICT scale,
                         const float* HWY_RESTRICT bias, std::size_t dims, float* HWY_RESTRICT y) {
    alignas(64) std::int32_t sums[kMaxDims];
    ActivePairs active;
    list_active(x, hidden / 2, dims, active);
    std::size_t j = 0;
    with_best_dot2([&](auto dot)
                       HWY_ATTR { j = output_vectors<decltype(dot)>(active, weight, dims, sums); });
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
