// Neighbour search kernels through Highway.
#include "solis/nn/kernels/neighbour_kernels.h"

#ifndef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "solis/nn/kernels/neighbour_kernels.cpp"
#endif
#include <hwy/foreach_target.h>
// Highway wants the line above before this one.
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace solis::nn::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

using Tag = hn::ScalableTag<float>;
// A group is a whole number of these vectors.
using GroupTag = hn::CappedTag<float, kScanGroup>;

float squared_distance_kernel(const float* HWY_RESTRICT a, const float* HWY_RESTRICT b,
                              std::size_t count) {
    const Tag d;
    const std::size_t lanes = hn::Lanes(d);
    auto sum0 = hn::Zero(d), sum1 = hn::Zero(d);
    std::size_t i = 0;
    for (; i + 2 * lanes <= count; i += 2 * lanes) {
        const auto x = hn::Sub(hn::LoadU(d, a + i), hn::LoadU(d, b + i));
        const auto y = hn::Sub(hn::LoadU(d, a + i + lanes), hn::LoadU(d, b + i + lanes));
        sum0 = hn::MulAdd(x, x, sum0);
        sum1 = hn::MulAdd(y, y, sum1);
    }
    for (; i + lanes <= count; i += lanes) {
        const auto x = hn::Sub(hn::LoadU(d, a + i), hn::LoadU(d, b + i));
        sum0 = hn::MulAdd(x, x, sum0);
    }
    float sum = hn::GetLane(hn::SumOfLanes(d, hn::Add(sum0, sum1)));
    for (; i < count; ++i) sum += (a[i] - b[i]) * (a[i] - b[i]);
    return sum;
}

std::size_t find_groups_kernel(const float* HWY_RESTRICT values, float floor,
                               const float* HWY_RESTRICT floors, std::size_t groups,
                               std::uint32_t* HWY_RESTRICT starts) {
    const GroupTag d;
    const std::size_t lanes = hn::Lanes(d);
    const auto level = hn::Set(d, floor);
    std::size_t found = 0;
    for (std::size_t g = 0; g < groups; ++g) {
        const std::size_t start = g * kScanGroup;
        auto margin = hn::Zero(d);
        for (std::size_t i = start; i < start + kScanGroup; i += lanes) {
            const auto lowest = hn::Min(level, hn::LoadU(d, floors + i));
            margin = hn::Max(margin, hn::Sub(hn::LoadU(d, values + i), lowest));
        }
        starts[found] = static_cast<std::uint32_t>(start);
        found += hn::AllFalse(d, hn::Gt(margin, hn::Zero(d))) ? 0 : 1;
    }
    return found;
}

}  // namespace
}  // namespace solis::nn::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace solis::nn {

HWY_EXPORT(squared_distance_kernel);
HWY_EXPORT(find_groups_kernel);

float squared_distance(std::span<const float> a, std::span<const float> b) {
    return HWY_DYNAMIC_DISPATCH(squared_distance_kernel)(a.data(), b.data(), a.size());
}

std::size_t find_groups_above(const float* values, float floor, const float* floors,
                              std::size_t groups, std::uint32_t* starts) {
    return HWY_DYNAMIC_DISPATCH(find_groups_kernel)(values, floor, floors, groups, starts);
}

}  // namespace solis::nn
#endif
