// The tail through Highway.
#include "solis/nn/swift/tail_kernel.h"

#include <cmath>

#ifndef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "solis/nn/swift/tail_kernel.cpp"
#endif
#include <hwy/foreach_target.h>
// Highway wants the line above before these.
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace solis::nn::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

constexpr std::size_t kMaxTail = 1024;

// sums[j] = start[j] + sum over k of x[k] * matrix[k][j], for `Vectors` vectors of columns from
// `first` on. Even and odd rows have sums of their own, because one alone would wait for every
// addition before the next.
template <std::size_t Vectors, class Tag>
HWY_INLINE void tail_columns(Tag d, const float* HWY_RESTRICT x, std::size_t rows,
                             const float* HWY_RESTRICT matrix, std::size_t columns,
                             std::size_t first, float* HWY_RESTRICT sums) {
    using Floats = hn::Vec<Tag>;
    const std::size_t lanes = hn::Lanes(d);
    Floats e0 = hn::LoadU(d, sums + first), o0 = hn::Zero(d);
    Floats e1 = o0, o1 = o0, e2 = o0, o2 = o0, e3 = o0, o3 = o0;
    if constexpr (Vectors > 1) e1 = hn::LoadU(d, sums + first + lanes);
    if constexpr (Vectors > 2) {
        e2 = hn::LoadU(d, sums + first + 2 * lanes);
        e3 = hn::LoadU(d, sums + first + 3 * lanes);
    }
    for (std::size_t k = 0; k < rows; k += 2) {
        const float* const even = matrix + k * columns + first;
        const float* const odd = even + columns;
        const Floats xe = hn::Set(d, x[k]), xo = hn::Set(d, x[k + 1]);
        e0 = hn::MulAdd(xe, hn::LoadU(d, even), e0);
        o0 = hn::MulAdd(xo, hn::LoadU(d, odd), o0);
        if constexpr (Vectors > 1) {
            e1 = hn::MulAdd(xe, hn::LoadU(d, even + lanes), e1);
            o1 = hn::MulAdd(xo, hn::LoadU(d, odd + lanes), o1);
        }
        if constexpr (Vectors > 2) {
            e2 = hn::MulAdd(xe, hn::LoadU(d, even + 2 * lanes), e2);
            o2 = hn::MulAdd(xo, hn::LoadU(d, odd + 2 * lanes), o2);
            e3 = hn::MulAdd(xe, hn::LoadU(d, even + 3 * lanes), e3);
            o3 = hn::MulAdd(xo, hn::LoadU(d, odd + 3 * lanes), o3);
        }
    }
    hn::StoreU(hn::Add(e0, o0), d, sums + first);
    if constexpr (Vectors > 1) hn::StoreU(hn::Add(e1, o1), d, sums + first + lanes);
    if constexpr (Vectors > 2) {
        hn::StoreU(hn::Add(e2, o2), d, sums + first + 2 * lanes);
        hn::StoreU(hn::Add(e3, o3), d, sums + first + 3 * lanes);
    }
}

// sums += x x matrix, by as many columns at a time as there are registers for. rows is even.
HWY_INLINE void add_product(const float* HWY_RESTRICT x, std::size_t rows,
                            const float* HWY_RESTRICT matrix, std::size_t columns,
                            float* HWY_RESTRICT sums) {
    const hn::CappedTag<float, 16> d;
    const hn::CappedTag<float, 8> half;  // columns are a multiple of 8
    const std::size_t lanes = hn::Lanes(d);
    std::size_t j = 0;
    for (; j + 4 * lanes <= columns; j += 4 * lanes)
        tail_columns<4>(d, x, rows, matrix, columns, j, sums);
    for (; j + 2 * lanes <= columns; j += 2 * lanes)
        tail_columns<2>(d, x, rows, matrix, columns, j, sums);
    for (; j < columns; j += hn::Lanes(half))
        tail_columns<1>(half, x, rows, matrix, columns, j, sums);
}

void add_tail_kernel(const TailMatrices& m, float* HWY_RESTRICT y) {
    const hn::CappedTag<float, 8> d;
    const std::size_t lanes = hn::Lanes(d);
    auto square = hn::Zero(d);
    for (std::size_t i = 0; i < m.dims; i += lanes) {
        const auto v = hn::LoadU(d, y + i);
        square = hn::MulAdd(v, v, square);
    }
    const float length = std::sqrt(hn::GetLane(hn::SumOfLanes(d, square)));
    const auto scale = hn::Set(d, 1.0f / (length > 1e-12f ? length : 1e-12f));
    for (std::size_t i = 0; i < m.dims; i += lanes) {
        hn::StoreU(hn::Mul(hn::LoadU(d, y + i), scale), d, y + i);
    }
    alignas(64) float hidden[kMaxTail];
    for (std::size_t i = 0; i < m.tail; i += lanes) {
        hn::StoreU(hn::LoadU(d, m.bias + i), d, hidden + i);
    }
    add_product(y, m.dims, m.weight, m.tail, hidden);
    for (std::size_t i = 0; i < m.tail; i += lanes) {
        const auto v = hn::Min(hn::Max(hn::LoadU(d, hidden + i), hn::Zero(d)), hn::Set(d, 1.0f));
        hn::StoreU(hn::Mul(v, v), d, hidden + i);
    }
    add_product(hidden, m.tail, m.output, m.dims, y);
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
