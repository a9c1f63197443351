// Element-wise kernels through Highway.
#include "solis/nn/kernels/vector_kernels.h"

#ifndef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "solis/nn/kernels/vector_kernels.cpp"
#endif
#include <hwy/foreach_target.h>
// Highway wants the line above before this one.
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace solis::nn::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

using Tag = hn::ScalableTag<float>;
using Vec = hn::Vec<Tag>;

// Calls vector(i) for whole vectors and scalar(i) for what is left.
template <class Vector, class Scalar>
HWY_INLINE void for_range(std::size_t count, Vector&& vector, Scalar&& scalar) {
    const std::size_t lanes = hn::Lanes(Tag());
    std::size_t i = 0;
    for (; i + lanes <= count; i += lanes) vector(i);
    for (; i < count; ++i) scalar(i);
}

// So many vectors of columns: out = start + the given rows of the table.
template <std::size_t kVectors, class Row>
HWY_INLINE void sum_columns(const float* HWY_RESTRICT table, std::size_t stride,
                            std::span<const Row> rows, const float* HWY_RESTRICT start,
                            float* HWY_RESTRICT out) {
    const Tag d;
    const std::size_t lanes = hn::Lanes(d);
    Vec s0 = hn::LoadU(d, start), s1 = s0, s2 = s0, s3 = s0, s4 = s0, s5 = s0, s6 = s0, s7 = s0;
    if constexpr (kVectors > 1) s1 = hn::LoadU(d, start + lanes);
    if constexpr (kVectors > 2) {
        s2 = hn::LoadU(d, start + 2 * lanes);
        s3 = hn::LoadU(d, start + 3 * lanes);
    }
    if constexpr (kVectors > 4) {
        s4 = hn::LoadU(d, start + 4 * lanes);
        s5 = hn::LoadU(d, start + 5 * lanes);
        s6 = hn::LoadU(d, start + 6 * lanes);
        s7 = hn::LoadU(d, start + 7 * lanes);
    }
    for (const Row row : rows) {
        const float* const from = table + row * stride;
        s0 = hn::Add(s0, hn::LoadU(d, from));
        if constexpr (kVectors > 1) s1 = hn::Add(s1, hn::LoadU(d, from + lanes));
        if constexpr (kVectors > 2) {
            s2 = hn::Add(s2, hn::LoadU(d, from + 2 * lanes));
            s3 = hn::Add(s3, hn::LoadU(d, from + 3 * lanes));
        }
        if constexpr (kVectors > 4) {
            s4 = hn::Add(s4, hn::LoadU(d, from + 4 * lanes));
            s5 = hn::Add(s5, hn::LoadU(d, from + 5 * lanes));
            s6 = hn::Add(s6, hn::LoadU(d, from + 6 * lanes));
            s7 = hn::Add(s7, hn::LoadU(d, from + 7 * lanes));
        }
    }
    hn::StoreU(s0, d, out);
    if constexpr (kVectors > 1) hn::StoreU(s1, d, out + lanes);
    if constexpr (kVectors > 2) {
        hn::StoreU(s2, d, out + 2 * lanes);
        hn::StoreU(s3, d, out + 3 * lanes);
    }
    if constexpr (kVectors > 4) {
        hn::StoreU(s4, d, out + 4 * lanes);
        hn::StoreU(s5, d, out + 5 * lanes);
        hn::StoreU(s6, d, out + 6 * lanes);
        hn::StoreU(s7, d, out + 7 * lanes);
    }
}

template <class Row>
HWY_INLINE void sum_any_rows(const float* HWY_RESTRICT table, std::size_t stride,
                             std::span<const Row> rows, const float* HWY_RESTRICT start,
                             std::size_t count, float* HWY_RESTRICT out) {
    const Tag d;
    const std::size_t lanes = hn::Lanes(d);
    std::size_t i = 0;
    // Several vectors at a time: enough independent additions to hide their latency.
    for (; i + 8 * lanes <= count; i += 8 * lanes) {
        sum_columns<8>(table + i, stride, rows, start + i, out + i);
    }
    for (; i + 4 * lanes <= count; i += 4 * lanes) {
        sum_columns<4>(table + i, stride, rows, start + i, out + i);
    }
    for (; i + 2 * lanes <= count; i += 2 * lanes) {
        sum_columns<2>(table + i, stride, rows, start + i, out + i);
    }
    for (; i + lanes <= count; i += lanes) {
        sum_columns<1>(table + i, stride, rows, start + i, out + i);
    }
    for (; i < count; ++i) {
        float sum = start[i];
        for (const Row row : rows) sum += table[row * stride + i];
        out[i] = sum;
    }
}

void sum_rows16_kernel(const float* table, std::size_t stride, std::span<const std::uint16_t> rows,
                       const float* start, std::size_t count, float* out) {
    sum_any_rows(table, stride, rows, start, count, out);
}
void sum_rows32_kernel(const float* table, std::size_t stride, std::span<const std::uint32_t> rows,
                       const float* start, std::size_t count, float* out) {
    sum_any_rows(table, stride, rows, start, count, out);
}

void clamp_kernel(std::span<float> x) {
    const Tag d;
    float* const p = x.data();
    for_range(
        x.size(),
        [&](std::size_t i) HWY_ATTR {
            const Vec v = hn::LoadU(d, p + i);
            hn::StoreU(hn::Min(hn::Max(v, hn::Zero(d)), hn::Set(d, 1.0f)), d, p + i);
        },
        [&](std::size_t i) { p[i] = p[i] > 0 ? (p[i] < 1 ? p[i] : 1.0f) : 0.0f; });
}

void square_kernel(std::span<const float> clamped, float* HWY_RESTRICT out) {
    const Tag d;
    const float* const c = clamped.data();
    for_range(
        clamped.size(),
        [&](std::size_t i) HWY_ATTR {
            const Vec v = hn::LoadU(d, c + i);
            hn::StoreU(hn::Mul(v, v), d, out + i);
        },
        [&](std::size_t i) { out[i] = c[i] * c[i]; });
}

// Zero where the clamp was active: x <= 0 gives c = 0, x >= 1 gives c = 1.
HWY_INLINE Vec inside_clamp(Tag d, Vec c, Vec gradient) {
    return hn::IfThenElseZero(hn::And(hn::Gt(c, hn::Zero(d)), hn::Lt(c, hn::Set(d, 1.0f))),
                              gradient);
}
float inside_clamp(float c, float gradient) { return c > 0 && c < 1 ? gradient : 0.0f; }

void square_backward_kernel(std::span<const float> clamped, std::span<const float> d_out,
                            float* HWY_RESTRICT d_x) {
    const Tag d;
    const float* const c = clamped.data();
    const float* const g = d_out.data();
    for_range(
        clamped.size(),
        [&](std::size_t i) HWY_ATTR {
            const Vec v = hn::LoadU(d, c + i);
            const Vec gradient = hn::Mul(hn::Add(v, v), hn::LoadU(d, g + i));
            hn::StoreU(inside_clamp(d, v, gradient), d, d_x + i);
        },
        [&](std::size_t i) { d_x[i] = inside_clamp(c[i], 2 * c[i] * g[i]); });
}

void multiply_pairs_kernel(std::span<const float> clamped, float* HWY_RESTRICT out) {
    const Tag d;
    const std::size_t half = clamped.size() / 2;
    const float* const a = clamped.data();
    const float* const b = a + half;
    for_range(
        half,
        [&](std::size_t i)
            HWY_ATTR { hn::StoreU(hn::Mul(hn::LoadU(d, a + i), hn::LoadU(d, b + i)), d, out + i); },
        [&](std::size_t i) { out[i] = a[i] * b[i]; });
}

void multiply_pairs_backward_kernel(std::span<const float> clamped, std::span<const float> d_out,
                                    float* HWY_RESTRICT d_x) {
    const Tag d;
    const std::size_t half = clamped.size() / 2;
    const float* const a = clamped.data();
    const float* const b = a + half;
    const float* const g = d_out.data();
    for_range(
        half,
        [&](std::size_t i) HWY_ATTR {
            const Vec va = hn::LoadU(d, a + i), vb = hn::LoadU(d, b + i);
            const Vec vg = hn::LoadU(d, g + i);
            hn::StoreU(inside_clamp(d, va, hn::Mul(vg, vb)), d, d_x + i);
            hn::StoreU(inside_clamp(d, vb, hn::Mul(vg, va)), d, d_x + half + i);
        },
        [&](std::size_t i) {
            d_x[i] = inside_clamp(a[i], g[i] * b[i]);
            d_x[half + i] = inside_clamp(b[i], g[i] * a[i]);
        });
}

float dot_kernel(std::span<const float> a, std::span<const float> b) {
    const Tag d;
    Vec sum = hn::Zero(d);
    float rest = 0;
    for_range(
        a.size(),
        [&](std::size_t i) HWY_ATTR {
            sum = hn::MulAdd(hn::LoadU(d, a.data() + i), hn::LoadU(d, b.data() + i), sum);
        },
        [&](std::size_t i) { rest += a[i] * b[i]; });
    return hn::GetLane(hn::SumOfLanes(d, sum)) + rest;
}

void add_scaled_kernel(float factor, std::span<const float> x, float* HWY_RESTRICT y) {
    const Tag d;
    const Vec f = hn::Set(d, factor);
    for_range(
        x.size(),
        [&](std::size_t i) HWY_ATTR {
            hn::StoreU(hn::MulAdd(f, hn::LoadU(d, x.data() + i), hn::LoadU(d, y + i)), d, y + i);
        },
        [&](std::size_t i) { y[i] += factor * x[i]; });
}

}  // namespace
}  // namespace solis::nn::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace solis::nn {

HWY_EXPORT(sum_rows16_kernel);
HWY_EXPORT(sum_rows32_kernel);
HWY_EXPORT(clamp_kernel);
HWY_EXPORT(square_kernel);
HWY_EXPORT(square_backward_kernel);
HWY_EXPORT(multiply_pairs_kernel);
HWY_EXPORT(multiply_pairs_backward_kernel);
HWY_EXPORT(dot_kernel);
HWY_EXPORT(add_scaled_kernel);

void sum_rows(const float* table, std::size_t stride, std::span<const std::uint16_t> rows,
              const float* start, std::size_t count, float* out) {
    HWY_DYNAMIC_DISPATCH(sum_rows16_kernel)(table, stride, rows, start, count, out);
}
void sum_rows(const float* table, std::size_t stride, std::span<const std::uint32_t> rows,
              const float* start, std::size_t count, float* out) {
    HWY_DYNAMIC_DISPATCH(sum_rows32_kernel)(table, stride, rows, start, count, out);
}
void clamp_to_unit(std::span<float> x) { HWY_DYNAMIC_DISPATCH(clamp_kernel)(x); }
void square(std::span<const float> clamped, float* out) {
    HWY_DYNAMIC_DISPATCH(square_kernel)(clamped, out);
}
void square_backward(std::span<const float> clamped, std::span<const float> d_out, float* d_x) {
    HWY_DYNAMIC_DISPATCH(square_backward_kernel)(clamped, d_out, d_x);
}
void multiply_pairs(std::span<const float> clamped, float* out) {
    HWY_DYNAMIC_DISPATCH(multiply_pairs_kernel)(clamped, out);
}
void multiply_pairs_backward(std::span<const float> clamped, std::span<const float> d_out,
                             float* d_x) {
    HWY_DYNAMIC_DISPATCH(multiply_pairs_backward_kernel)(clamped, d_out, d_x);
}
float dot(std::span<const float> a, std::span<const float> b) {
    return HWY_DYNAMIC_DISPATCH(dot_kernel)(a, b);
}
void add_scaled(float factor, std::span<const float> x, float* y) {
    HWY_DYNAMIC_DISPATCH(add_scaled_kernel)(factor, x, y);
}

}  // namespace solis::nn
#endif
