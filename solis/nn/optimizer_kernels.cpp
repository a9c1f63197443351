// Optimiser loops through Highway. Tails go through the same vector code by masking, so that a
// slice's length never changes a result.
#include "solis/nn/optimizer_kernels.h"

#include <algorithm>
#include <array>

#ifndef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "solis/nn/optimizer_kernels.cpp"
#endif
#include <hwy/foreach_target.h>
// Highway wants the line above before this one.
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace solis::nn::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

using Tag = hn::ScalableTag<float>;

// x, m and v of one vector after one Adam step.
HWY_INLINE void adam_vector(const AdamStep& s, float* x, const float* g, float* m, float* v) {
    const Tag d;
    const auto gradient = hn::Mul(hn::LoadU(d, g), hn::Set(d, s.gradient_scale));
    auto m1 = hn::LoadU(d, m), v1 = hn::LoadU(d, v);
    m1 = hn::MulAdd(hn::Sub(gradient, m1), hn::Set(d, 1 - s.beta1), m1);
    v1 = hn::MulAdd(hn::Sub(hn::Mul(gradient, gradient), v1), hn::Set(d, 1 - s.beta2), v1);
    hn::StoreU(m1, d, m);
    hn::StoreU(v1, d, v);
    const auto spread = hn::Sqrt(hn::Mul(v1, hn::Set(d, s.variance_scale)));
    const auto change =
        hn::Div(hn::Mul(m1, hn::Set(d, s.rate)), hn::Add(spread, hn::Set(d, s.epsilon)));
    hn::StoreU(hn::Sub(hn::Mul(hn::LoadU(d, x), hn::Set(d, s.keep)), change), d, x);
}

HWY_INLINE void sgd_vector(const SgdStep& s, float* x, const float* g, float* m) {
    const Tag d;
    const auto weight = hn::LoadU(d, x);
    const auto gradient = hn::MulAdd(weight, hn::Set(d, s.weight_decay),
                                     hn::Mul(hn::LoadU(d, g), hn::Set(d, s.gradient_scale)));
    const auto m1 = hn::MulAdd(hn::LoadU(d, m), hn::Set(d, s.momentum), gradient);
    hn::StoreU(m1, d, m);
    hn::StoreU(hn::NegMulAdd(m1, hn::Set(d, s.rate), weight), d, x);
}

void adam_kernel(const AdamStep& s, std::span<float> x, const float* g, float* m, float* v) {
    const std::size_t lanes = hn::Lanes(Tag());
    std::size_t i = 0;
    for (; i + lanes <= x.size(); i += lanes) {
        adam_vector(s, x.data() + i, g + i, m + i, v + i);
    }
    const std::size_t rest = x.size() - i;
    if (rest == 0) return;
    std::array<std::array<float, 64>, 4> aside{};
    std::copy_n(x.data() + i, rest, aside[0].data());
    std::copy_n(g + i, rest, aside[1].data());
    std::copy_n(m + i, rest, aside[2].data());
    std::copy_n(v + i, rest, aside[3].data());
    adam_vector(s, aside[0].data(), aside[1].data(), aside[2].data(), aside[3].data());
    std::copy_n(aside[0].data(), rest, x.data() + i);
    std::copy_n(aside[2].data(), rest, m + i);
    std::copy_n(aside[3].data(), rest, v + i);
}

void sgd_kernel(const SgdStep& s, std::span<float> x, const float* g, float* m) {
    const std::size_t lanes = hn::Lanes(Tag());
    std::size_t i = 0;
    for (; i + lanes <= x.size(); i += lanes) sgd_vector(s, x.data() + i, g + i, m + i);
    const std::size_t rest = x.size() - i;
    if (rest == 0) return;
    std::array<std::array<float, 64>, 3> aside{};
    std::copy_n(x.data() + i, rest, aside[0].data());
    std::copy_n(g + i, rest, aside[1].data());
    std::copy_n(m + i, rest, aside[2].data());
    sgd_vector(s, aside[0].data(), aside[1].data(), aside[2].data());
    std::copy_n(aside[0].data(), rest, x.data() + i);
    std::copy_n(aside[2].data(), rest, m + i);
}

}  // namespace
}  // namespace solis::nn::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace solis::nn {

HWY_EXPORT(adam_kernel);
HWY_EXPORT(sgd_kernel);

void adam_step(const AdamStep& step, std::span<float> x, const float* gradient, float* momentum,
               float* variance) {
    HWY_DYNAMIC_DISPATCH(adam_kernel)(step, x, gradient, momentum, variance);
}

void sgd_step(const SgdStep& step, std::span<float> x, const float* gradient, float* momentum) {
    HWY_DYNAMIC_DISPATCH(sgd_kernel)(step, x, gradient, momentum);
}

}  // namespace solis::nn
#endif
