// Contrastive loops through Highway. Tails go through the same vector code, padded with values
// that add nothing.
#include "solis/nn/contrastive_kernels.h"

#include <algorithm>
#include <array>
#include <limits>
#include <numbers>

#ifndef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "solis/nn/contrastive_kernels.cpp"
#endif
#include <hwy/foreach_target.h>
// Highway wants the line above before these.
#include <hwy/contrib/math/math-inl.h>
#include <hwy/highway.h>

#include "solis/nn/kernels/exp-inl.h"

HWY_BEFORE_NAMESPACE();
namespace solis::nn::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

using Tag = hn::ScalableTag<float>;
using Vec = hn::Vec<Tag>;
constexpr std::size_t kMaxLanes = 64;

class AttractionTo {
  public:
    HWY_INLINE AttractionTo(const Attraction& attraction, float label)
        : label_(hn::Set(Tag(), label)),
          margin_(hn::Set(Tag(), attraction.margin)),
          // 1 - distance / margin, or 1 at any distance.
          slope_(hn::Set(Tag(), attraction.fades ? -1 / attraction.margin : 0.0f)) {}

    HWY_INLINE Vec operator()(Vec labels) const {
        const Vec distance = hn::Abs(hn::Sub(label_, labels));
        const Vec weight = hn::MulAdd(distance, slope_, hn::Set(Tag(), 1.0f));
        return hn::IfThenElseZero(hn::Lt(distance, margin_), weight);
    }

  private:
    Vec label_, margin_, slope_;
};

struct VectorSums {
    Vec exponentials, weights, attracted;
};

HWY_INLINE void exponentials_vector(float* row, const float* labels, const AttractionTo& attraction,
                                    float scale, VectorSums& sums) {
    const Tag d;
    const Vec similarity = hn::LoadU(d, row);
    const Vec weight = attraction(hn::LoadU(d, labels));
    // Rounding may put a cosine a little above 1, which does the power no harm.
    const Vec below = hn::Sub(similarity, hn::Set(d, 1.0f));
    const Vec e = exp2_of_negative(d, hn::Mul(below, hn::Set(d, scale)));
    hn::StoreU(e, d, row);
    sums.exponentials = hn::Add(sums.exponentials, e);
    sums.weights = hn::Add(sums.weights, weight);
    sums.attracted = hn::MulAdd(weight, similarity, sums.attracted);
}

PairSums exponentials_kernel(std::span<float> row, const float* labels, float label,
                             const Attraction& rule, float scale) {
    const Tag d;
    const std::size_t lanes = hn::Lanes(d);
    const AttractionTo attraction(rule, label);
    scale *= std::numbers::log2e_v<float>;  // exp(y) is 2^(y log2 e)
    VectorSums sums{hn::Zero(d), hn::Zero(d), hn::Zero(d)};
    std::size_t i = 0;
    for (; i + lanes <= row.size(); i += lanes) {
        exponentials_vector(row.data() + i, labels + i, attraction, scale, sums);
    }
    if (const std::size_t rest = row.size() - i; rest > 0) {
        std::array<float, kMaxLanes> aside, aside_labels;
        aside.fill(-1e9f);                                          // whose exponential is 0
        aside_labels.fill(std::numeric_limits<float>::infinity());  // which attracts nothing
        std::copy_n(row.data() + i, rest, aside.data());
        std::copy_n(labels + i, rest, aside_labels.data());
        exponentials_vector(aside.data(), aside_labels.data(), attraction, scale, sums);
        std::copy_n(aside.data(), rest, row.data() + i);
    }
    return {hn::GetLane(hn::SumOfLanes(d, sums.exponentials)),
            hn::GetLane(hn::SumOfLanes(d, sums.weights)),
            hn::GetLane(hn::SumOfLanes(d, sums.attracted))};
}

HWY_INLINE Vec pair_gradient(Vec e, Vec weight, Vec push, Vec pull) {
    return hn::MulSub(e, push, hn::Mul(weight, pull));
}

void pair_gradients_kernel(std::span<float> row, const float* labels, std::size_t anchor,
                           const Attraction& rule, const PairForces& forces) {
    const Tag d;
    const std::size_t lanes = hn::Lanes(d);
    const AttractionTo attraction(rule, labels[anchor]);
    const Vec push = hn::Set(d, forces.push[anchor]), pull = hn::Set(d, forces.pull[anchor]);
    std::size_t i = 0;
    for (; i + lanes <= row.size(); i += lanes) {
        const Vec g =
            pair_gradient(hn::LoadU(d, row.data() + i), attraction(hn::LoadU(d, labels + i)),
                          hn::Add(push, hn::LoadU(d, forces.push + i)),
                          hn::Add(pull, hn::LoadU(d, forces.pull + i)));
        hn::StoreU(g, d, row.data() + i);
    }
    for (; i < row.size(); ++i) {
        row[i] = hn::GetLane(pair_gradient(hn::Set(d, row[i]), attraction(hn::Set(d, labels[i])),
                                           hn::Add(push, hn::Set(d, forces.push[i])),
                                           hn::Add(pull, hn::Set(d, forces.pull[i]))));
    }
}

double sum_of_logs_kernel(std::span<const double> values) {
    const hn::ScalableTag<double> d;
    const std::size_t lanes = hn::Lanes(d);
    auto sum = hn::Zero(d);
    double rest = 0;
    std::size_t i = 0;
    for (; i + lanes <= values.size(); i += lanes) {
        sum = hn::Add(sum, hn::Log(d, hn::LoadU(d, values.data() + i)));
    }
    for (; i < values.size(); ++i) rest += hn::GetLane(hn::Log(d, hn::Set(d, values[i])));
    return hn::GetLane(hn::SumOfLanes(d, sum)) + rest;
}

}  // namespace
}  // namespace solis::nn::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace solis::nn {

HWY_EXPORT(exponentials_kernel);
HWY_EXPORT(pair_gradients_kernel);
HWY_EXPORT(sum_of_logs_kernel);

PairSums exponentials(std::span<float> row, const float* labels, float label,
                      const Attraction& attraction, float scale) {
    return HWY_DYNAMIC_DISPATCH(exponentials_kernel)(row, labels, label, attraction, scale);
}
void pair_gradients(std::span<float> row, const float* labels, std::size_t anchor,
                    const Attraction& attraction, const PairForces& forces) {
    HWY_DYNAMIC_DISPATCH(pair_gradients_kernel)(row, labels, anchor, attraction, forces);
}
double sum_of_logs(std::span<const double> values) {
    return HWY_DYNAMIC_DISPATCH(sum_of_logs_kernel)(values);
}

}  // namespace solis::nn
#endif
