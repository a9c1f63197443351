// Softmax through Highway, one vector of columns at a time.
#include "nn/softmax.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "nn/softmax.cpp"
#include <hwy/foreach_target.h>
// Highway wants the line above before these.
#include <hwy/highway.h>

#include "nn/exp-inl.h"
#include "nn/tile-inl.h"

HWY_BEFORE_NAMESPACE();
namespace solis::nn::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

using Tag = PanelTag;
using Vec = hn::Vec<Tag>;

constexpr float kLog2OfE = 1.44269504f;

// Calls use(offset of the first row) for each vector of columns.
template <class Use>
HWY_INLINE void for_columns(ConstPanels m, Use&& use) {
    const std::size_t lanes = hn::Lanes(Tag());
    for (std::size_t panel = 0; panel < panel_count(m.cols); ++panel) {
        for (std::size_t part = 0; part < kPanel; part += lanes) {
            use(panel * m.rows * kPanel + part);
        }
    }
}

void softmax_kernel(Panels s, float scale) {
    const Tag d;
    const Vec factor = hn::Set(d, scale * kLog2OfE);
    for_columns(s, [&](std::size_t first) HWY_ATTR {
        float* const from = s.data + first;
        float* const end = from + s.rows * kPanel;
        Vec most = hn::LoadU(d, from);
        for (float* at = from + kPanel; at < end; at += kPanel) {
            most = hn::Max(most, hn::LoadU(d, at));
        }
        Vec sum = hn::Zero(d);
        for (float* at = from; at < end; at += kPanel) {
            const Vec below = hn::Sub(hn::LoadU(d, at), most);
            const Vec e = exp2_of_negative(d, hn::Mul(below, factor));
            hn::StoreU(e, d, at);
            sum = hn::Add(sum, e);
        }
        const Vec share = hn::Div(hn::Set(d, 1.0f), sum);
        for (float* at = from; at < end; at += kPanel) {
            hn::StoreU(hn::Mul(hn::LoadU(d, at), share), d, at);
        }
    });
}

void softmax_backward_kernel(ConstPanels p, float scale, Panels g) {
    const Tag d;
    const Vec factor = hn::Set(d, scale);
    for_columns(p, [&](std::size_t first) HWY_ATTR {
        const std::size_t end = first + p.rows * kPanel;
        Vec even = hn::Zero(d), odd = hn::Zero(d);
        std::size_t at = first;
        for (; at + kPanel < end; at += 2 * kPanel) {
            even = hn::MulAdd(hn::LoadU(d, p.data + at), hn::LoadU(d, g.data + at), even);
            const std::size_t other = at + kPanel;
            odd = hn::MulAdd(hn::LoadU(d, p.data + other), hn::LoadU(d, g.data + other), odd);
        }
        if (at < end) even = hn::MulAdd(hn::LoadU(d, p.data + at), hn::LoadU(d, g.data + at), even);
        const Vec mean = hn::Add(even, odd);
        for (at = first; at < end; at += kPanel) {
            const Vec weighted = hn::Mul(hn::LoadU(d, p.data + at), factor);
            const Vec centred = hn::Sub(hn::LoadU(d, g.data + at), mean);
            hn::StoreU(hn::Mul(weighted, centred), d, g.data + at);
        }
    });
}

}  // namespace
}  // namespace solis::nn::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace solis::nn {

HWY_EXPORT(softmax_kernel);
HWY_EXPORT(softmax_backward_kernel);

void softmax_columns(Panels s, float scale) { HWY_DYNAMIC_DISPATCH(softmax_kernel)(s, scale); }
void softmax_columns_backward(ConstPanels p, float scale, Panels d) {
    HWY_DYNAMIC_DISPATCH(softmax_backward_kernel)(p, scale, d);
}

}  // namespace solis::nn
#endif
