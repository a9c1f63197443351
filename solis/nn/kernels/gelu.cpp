// GELU and dropout through Highway.
#include "solis/nn/kernels/gelu.h"

#include <cassert>
#include <cmath>

#ifndef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "solis/nn/kernels/gelu.cpp"
#endif
#include <hwy/foreach_target.h>
// Highway wants the line above before these.
#include <hwy/highway.h>

#include "solis/nn/kernels/exp-inl.h"
#include "solis/nn/kernels/tile-inl.h"

HWY_BEFORE_NAMESPACE();
namespace solis::nn::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

using Tag = PanelTag;
using Vec = hn::Vec<Tag>;

// Phi(x) - 1/2, Phi being the normal distribution: x times a polynomial in x^2, moved to [-1, 1] so
// that its coefficients stay small. Beyond |x| = 5.2 it is +-1/2 by the clamp. x Phi(x) is good to
// 1.4e-6 below 12.
HWY_INLINE Vec normal_above_half(Vec x) {
    const Tag d;
    const Vec one = hn::Set(d, 1.0f);
    const Vec t = hn::Min(hn::MulSub(hn::Mul(x, x), hn::Set(d, 2 / (5.2f * 5.2f)), one), one);
    Vec p = hn::Set(d, 8.66050079e-4f);
    p = hn::MulAdd(p, t, hn::Set(d, -2.51332262e-3f));
    p = hn::MulAdd(p, t, hn::Set(d, 2.84047725e-3f));
    p = hn::MulAdd(p, t, hn::Set(d, -3.48595143e-3f));
    p = hn::MulAdd(p, t, hn::Set(d, 7.5651966e-3f));
    p = hn::MulAdd(p, t, hn::Set(d, -1.31177243e-2f));
    p = hn::MulAdd(p, t, hn::Set(d, 1.83861165e-2f));
    p = hn::MulAdd(p, t, hn::Set(d, -2.45889814e-2f));
    p = hn::MulAdd(p, t, hn::Set(d, 3.19070717e-2f));
    p = hn::MulAdd(p, t, hn::Set(d, -3.99418327e-2f));
    p = hn::MulAdd(p, t, hn::Set(d, 5.00302063e-2f));
    p = hn::MulAdd(p, t, hn::Set(d, -6.77433854e-2f));
    p = hn::MulAdd(p, t, hn::Set(d, 1.35949932e-1f));
    return hn::Clamp(hn::Mul(p, x), hn::Set(d, -0.5f), hn::Set(d, 0.5f));
}

// Calls vector(i) for each vector; the sizes here are whole panels.
template <class Vector>
HWY_INLINE void for_vectors(std::size_t count, Vector&& vector) {
    const std::size_t lanes = hn::Lanes(Tag());
    for (std::size_t i = 0; i < count; i += lanes) vector(i);
}

void gelu_kernel(std::span<const float> x, float* out) {
    const Tag d;
    for_vectors(x.size(), [&](std::size_t i) HWY_ATTR {
        const Vec v = hn::LoadU(d, x.data() + i);
        const Vec half = hn::Mul(v, hn::Set(d, 0.5f));
        hn::StoreU(hn::MulAdd(v, normal_above_half(v), half), d, out + i);
    });
}

void gelu_backward_kernel(std::span<const float> x, float* HWY_RESTRICT out,
                          float* HWY_RESTRICT g) {
    const Tag d;
    for_vectors(x.size(), [&](std::size_t i) HWY_ATTR {
        const Vec v = hn::LoadU(d, x.data() + i);
        const Vec below = hn::Add(normal_above_half(v), hn::Set(d, 0.5f));
        hn::StoreU(hn::Mul(v, below), d, out + i);
        // The density is 2^(-x^2 / (2 log 2)) / sqrt(2 pi).
        const Vec bell = exp2_of_negative(d, hn::Mul(hn::Mul(v, v), hn::Set(d, -0.72134752f)));
        const Vec slope = hn::MulAdd(hn::Mul(v, hn::Set(d, 0.39894228f)), bell, below);
        hn::StoreU(hn::Mul(hn::LoadU(d, g + i), slope), d, g + i);
    });
}

void drop_kernel(std::span<float> x, std::uint32_t threshold, float scale, std::uint32_t key) {
    const Tag d;
    const hn::RebindToUnsigned<Tag> du;
    const hn::RebindToSigned<Tag> di;
    // Compared as signed numbers, so without the lowest bit.
    const auto least = hn::Set(di, static_cast<std::int32_t>(threshold >> 1));
    const Vec factor = hn::Set(d, scale);
    for_vectors(x.size(), [&](std::size_t i) HWY_ATTR {
        auto h = hn::Iota(du, static_cast<std::uint32_t>(i));
        h = hn::Add(hn::Mul(h, hn::Set(du, 0x9E3779B1u)), hn::Set(du, key));
        h = hn::Mul(hn::Xor(h, hn::ShiftRight<16>(h)), hn::Set(du, 0x85EBCA6Bu));
        h = hn::Mul(hn::Xor(h, hn::ShiftRight<13>(h)), hn::Set(du, 0xC2B2AE35u));
        h = hn::Xor(h, hn::ShiftRight<16>(h));
        const auto dropped = hn::Lt(hn::BitCast(di, hn::ShiftRight<1>(h)), least);
        const Vec kept = hn::Mul(hn::LoadU(d, x.data() + i), factor);
        hn::StoreU(hn::IfThenZeroElse(hn::RebindMask(d, dropped), kept), d, x.data() + i);
    });
}

}  // namespace
}  // namespace solis::nn::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace solis::nn {

HWY_EXPORT(gelu_kernel);
HWY_EXPORT(gelu_backward_kernel);
HWY_EXPORT(drop_kernel);

void gelu(std::span<const float> x, float* out) {
    assert(x.size() % 16 == 0);
    HWY_DYNAMIC_DISPATCH(gelu_kernel)(x, out);
}

void gelu_backward(std::span<const float> x, float* out, float* d) {
    assert(x.size() % 16 == 0);
    HWY_DYNAMIC_DISPATCH(gelu_backward_kernel)(x, out, d);
}

void drop(std::span<float> x, float rate, std::uint32_t key) {
    assert(x.size() % 16 == 0 && rate > 0 && rate < 1);
    const auto threshold = static_cast<std::uint32_t>(std::ldexp(static_cast<double>(rate), 32));
    HWY_DYNAMIC_DISPATCH(drop_kernel)(x, threshold, 1 / (1 - rate), key);
}

std::uint32_t dropout_hash(std::uint32_t key, std::uint32_t element) {
    std::uint32_t h = element * 0x9E3779B1u + key;
    h = (h ^ (h >> 16)) * 0x85EBCA6Bu;
    h = (h ^ (h >> 13)) * 0xC2B2AE35u;
    return h ^ (h >> 16);
}

}  // namespace solis::nn
#endif
