// Fused multiply-adds in registers, through Highway.
#include "solis/nn/kernels/fma_peak.h"

#ifndef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "solis/nn/kernels/fma_peak.cpp"
#endif
#include <hwy/foreach_target.h>
// Highway wants the line above before this.
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace solis::nn::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

// Ten chains that do not depend on each other: latency 4 or 5 on two ports.
constexpr std::uint64_t kChains = 10;

std::uint64_t fma_loop(std::size_t rounds) {
    const hn::ScalableTag<float> d;
    const auto factor = hn::Set(d, 0.999f), step = hn::Set(d, 0.001f);
    // Different starts, or the compiler could make the chains one.
    auto s0 = hn::Iota(d, 0), s1 = hn::Iota(d, 1), s2 = hn::Iota(d, 2), s3 = hn::Iota(d, 3);
    auto s4 = hn::Iota(d, 4), s5 = hn::Iota(d, 5), s6 = hn::Iota(d, 6), s7 = hn::Iota(d, 7);
    auto s8 = hn::Iota(d, 8), s9 = hn::Iota(d, 9);
    for (std::size_t i = 0; i < rounds; ++i) {
        s0 = hn::MulAdd(s0, factor, step), s1 = hn::MulAdd(s1, factor, step);
        s2 = hn::MulAdd(s2, factor, step), s3 = hn::MulAdd(s3, factor, step);
        s4 = hn::MulAdd(s4, factor, step), s5 = hn::MulAdd(s5, factor, step);
        s6 = hn::MulAdd(s6, factor, step), s7 = hn::MulAdd(s7, factor, step);
        s8 = hn::MulAdd(s8, factor, step), s9 = hn::MulAdd(s9, factor, step);
    }
    const auto sum = hn::Add(hn::Add(hn::Add(s0, s1), hn::Add(s2, s3)),
                             hn::Add(hn::Add(hn::Add(s4, s5), hn::Add(s6, s7)), hn::Add(s8, s9)));
    // Looking at the sum keeps the loop alive.
    if (hn::GetLane(sum) < 0) return 0;
    return rounds * kChains * 2 * hn::Lanes(d);
}

}  // namespace
}  // namespace solis::nn::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace solis::nn {

HWY_EXPORT(fma_loop);

std::uint64_t run_fma_loop(std::size_t rounds) { return HWY_DYNAMIC_DISPATCH(fma_loop)(rounds); }

}  // namespace solis::nn
#endif
