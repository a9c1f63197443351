// The tail through Highway.
#include "solis/nn/swift/tail_kernel.h"

#include <cmath>
#include <cstring>

#ifndef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "solis/nn/swift/tail_kernel.cpp"
#endif
#include <hwy/foreach_target.h>
// Highway wants the line above before these.
#include <hwy/highway.h>

#include "solis/nn/kernels/dot2-inl.h"

HWY_BEFORE_NAMESPACE();
namespace solis::nn::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

constexpr std::size_t kMaxTail = 1024;

// Eight lanes or fewer: dims is whole vectors of them.
using TailFloats = hn::CappedTag<float, 8>;

// Sums of rows of a matrix of pairs, [rows / 2][columns][2], each row times an integer.
struct TailProduct {
    const std::int16_t* x;  // [2 * pairs]
    std::size_t pairs;      // a multiple of 4
    const std::int16_t* matrix;
    std::size_t columns;
};

// Hands `Vectors` vectors of sums, of the columns from `first` on, to use(column, sums). A sum
// waits for every addition before the next, so where there are few columns several pairs of rows
// are summed apart.
template <class Dot, std::size_t Vectors, class Use>
HWY_INLINE void tail_columns(const TailProduct& p, std::size_t first, Use&& use) {
    constexpr std::size_t kSums = Vectors == 1 ? 4 : 8, kRows = kSums / Vectors;
    const IntsTag d32;
    const PairsTag d16;
    const std::size_t lanes = hn::Lanes(d32);
    hn::Vec<IntsTag> s0 = hn::Zero(d32), s1 = s0, s2 = s0, s3 = s0;
    hn::Vec<IntsTag> s4 = s0, s5 = s0, s6 = s0, s7 = s0;
    for (std::size_t k = 0; k < p.pairs; k += kRows) {
        // Sum n is of row n / Vectors and of vector n % Vectors.
        const auto add = [&](hn::Vec<IntsTag>& sum, std::size_t n) HWY_ATTR {
            const std::size_t row = k + n / Vectors;
            std::int32_t two;
            std::memcpy(&two, p.x + 2 * row, 4);
            const std::int16_t* const w = p.matrix + 2 * (row * p.columns + first);
            Dot::add(sum, hn::BitCast(d16, hn::Set(d32, two)),
                     hn::LoadU(d16, w + 2 * lanes * (n % Vectors)));
        };
        add(s0, 0), add(s1, 1), add(s2, 2), add(s3, 3);
        if constexpr (kSums == 8) add(s4, 4), add(s5, 5), add(s6, 6), add(s7, 7);
    }
    if constexpr (Vectors <= 4) {
        s0 = hn::Add(s0, s4), s1 = hn::Add(s1, s5), s2 = hn::Add(s2, s6), s3 = hn::Add(s3, s7);
    }
    if constexpr (Vectors <= 2) s0 = hn::Add(s0, s2), s1 = hn::Add(s1, s3);
    if constexpr (Vectors == 1) s0 = hn::Add(s0, s1);
    use(first, s0);
    if constexpr (Vectors > 1) use(first + lanes, s1);
    if constexpr (Vectors > 2) use(first + 2 * lanes, s2), use(first + 3 * lanes, s3);
    if constexpr (Vectors > 4) {
        use(first + 4 * lanes, s4), use(first + 5 * lanes, s5);
        use(first + 6 * lanes, s6), use(first + 7 * lanes, s7);
    }
}

// All whole vectors of columns, as many at a time as there are registers for; gives back how many
// columns that are.
template <class Dot, class Use>
HWY_INLINE std::size_t tail_product(const TailProduct& p, Use&& use) {
    const std::size_t lanes = hn::Lanes(IntsTag());
    std::size_t j = 0;
    for (; j + 8 * lanes <= p.columns; j += 8 * lanes) tail_columns<Dot, 8>(p, j, use);
    for (; j + 4 * lanes <= p.columns; j += 4 * lanes) tail_columns<Dot, 4>(p, j, use);
    for (; j + 2 * lanes <= p.columns; j += 2 * lanes) tail_columns<Dot, 2>(p, j, use);
    for (; j + lanes <= p.columns; j += lanes) tail_columns<Dot, 1>(p, j, use);
    return j;
}

// y becomes u, and x its integers.
HWY_INLINE void normalise_for_tail(std::size_t dims, float* HWY_RESTRICT y,
                                   std::int16_t* HWY_RESTRICT x) {
    const TailFloats d;
    const hn::Rebind<std::int16_t, TailFloats> d16;
    auto square = hn::Zero(d);
    for (std::size_t i = 0; i < dims; i += hn::Lanes(d)) {
        const auto v = hn::LoadU(d, y + i);
        square = hn::MulAdd(v, v, square);
    }
    const float length = std::sqrt(hn::GetLane(hn::SumOfLanes(d, square)));
    const auto scale = hn::Set(d, 1.0f / (length > 1e-12f ? length : 1e-12f));
    const auto one = hn::Set(d, static_cast<float>(kTailOne));
    for (std::size_t i = 0; i < dims; i += hn::Lanes(d)) {
        const auto u = hn::Mul(hn::LoadU(d, y + i), scale);
        hn::StoreU(u, d, y + i);
        hn::StoreU(hn::DemoteTo(d16, hn::NearestInt(hn::Mul(u, one))), d16, x + i);
    }
}

template <class Dot>
HWY_INLINE void add_tail_with(const TailMatrices& m, float* HWY_RESTRICT y) {
    alignas(64) std::int16_t unit[kMaxTail], hidden[kMaxTail];
    normalise_for_tail(m.dims, y, unit);
    const IntsTag d32;
    const hn::Rebind<std::int16_t, IntsTag> d16;
    const auto top = hn::Set(d16, static_cast<std::int16_t>(kTailOne - 1));
    // A whole vector of columns always, because the tail is a multiple of 16.
    tail_product<Dot>({unit, m.dims / 2, m.weight, m.tail}, [&](std::size_t j, auto sum) HWY_ATTR {
        const auto shifted = hn::ShiftRightSame(hn::Add(sum, hn::LoadU(d32, m.bias + j)), m.shift);
        const auto v = hn::Min(hn::Max(hn::DemoteTo(d16, shifted), hn::Zero(d16)), top);
        // v^2 / kTailOne: the fixed-point product is divided by twice that.
        hn::StoreU(hn::MulFixedPoint15(v, hn::Add(v, v)), d16, hidden + j);
    });
    const hn::RebindToFloat<IntsTag> df;
    const std::size_t done = tail_product<Dot>(
        {hidden, m.tail / 2, m.output, m.dims}, [&](std::size_t j, auto sum) HWY_ATTR {
            const auto value = hn::MulAdd(hn::ConvertTo(df, sum), hn::LoadU(df, m.output_scale + j),
                                          hn::LoadU(df, y + j));
            hn::StoreU(value, df, y + j);
        });
    for (std::size_t j = done; j < m.dims; ++j) {
        std::int32_t sum = 0;
        for (std::size_t k = 0; k < m.tail; ++k) {
            sum += hidden[k] * m.output[(k - k % 2) * m.dims + 2 * j + k % 2];
        }
        y[j] += static_cast<float>(sum) * m.output_scale[j];
    }
}

void add_tail_kernel(const TailMatrices& matrices, float* HWY_RESTRICT y) {
    with_best_dot2([&](auto dot) HWY_ATTR { add_tail_with<decltype(dot)>(matrices, y); });
}

}  // namespace
}  // namespace solis::nn::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace solis::nn {

HWY_EXPORT(add_tail_kernel);

void add_tail(const TailMatrices& matrices, float* y) {
    HWY_DYNAMIC_DISPATCH(add_tail_kernel)(matrices, y);
}

}  // namespace solis::nn
#endif
