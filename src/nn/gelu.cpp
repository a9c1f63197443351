// GELU and dropout through Highway.
#include "nn/gelu.h"

#include <cassert>
#include <cmath>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "nn/gelu.cpp"
#include <hwy/foreach_target.h>
// Highway wants the line above before these.
#include <hwy/highway.h>

#include "nn/exp-inl.h"

HWY_BEFORE_NAMESPACE();
namespace solis::nn::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

using Tag = hn::CappedTag<float, 8>;
using Vec = hn::Vec<Tag>;

struct Normal {
    Vec below;    // Phi(x)
    Vec density;  // phi(x)
};

// Phi by Abramowitz and Stegun 7.1.26: erfc(u) = (a polynomial in t = 1 / (1 + p u)) * exp(-u^2),
// good to 1.5e-7, with u = |x| / sqrt(2).
HWY_INLINE Normal normal(Vec x) {
    const Tag d;
    const Vec one = hn::Set(d, 1.0f);
    const Vec u = hn::Mul(hn::Abs(x), hn::Set(d, 0.70710678f));
    const Vec bell = exp_of_negative(d, hn::Neg(hn::Mul(u, u)));
    const Vec t = hn::Div(one, hn::MulAdd(u, hn::Set(d, 0.3275911f), one));
    Vec p = hn::Set(d, 1.061405429f);
    p = hn::MulAdd(p, t, hn::Set(d, -1.453152027f));
    p = hn::MulAdd(p, t, hn::Set(d, 1.421413741f));
    p = hn::MulAdd(p, t, hn::Set(d, -0.284496736f));
    p = hn::MulAdd(p, t, hn::Set(d, 0.254829592f));
    const Vec tail = hn::Mul(hn::Mul(hn::Mul(p, t), bell), hn::Set(d, 0.5f));  // Phi(-|x|)
    return {hn::IfThenElse(hn::Lt(x, hn::Zero(d)), tail, hn::Sub(one, tail)),
            hn::Mul(bell, hn::Set(d, 0.39894228f))};
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
        hn::StoreU(hn::Mul(v, normal(v).below), d, out + i);
    });
}

void gelu_backward_kernel(std::span<const float> x, float* HWY_RESTRICT out,
                          float* HWY_RESTRICT g) {
    const Tag d;
    for_vectors(x.size(), [&](std::size_t i) HWY_ATTR {
        const Vec v = hn::LoadU(d, x.data() + i);
        const Normal n = normal(v);
        hn::StoreU(hn::Mul(v, n.below), d, out + i);
        const Vec slope = hn::MulAdd(v, n.density, n.below);
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
