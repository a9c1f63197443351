// Softmax through Highway, one row at a time.
#include "nn/softmax.h"

#include <algorithm>
#include <limits>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "nn/softmax.cpp"
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

// Calls use(pointer offset) for each vector of a row's whole panels, and last(offset, columns that
// count) for those of a panel that the columns do not fill.
template <class Use, class Last>
HWY_INLINE void for_row(std::size_t rows, std::size_t cols, std::size_t row, Use&& use,
                        Last&& last) {
    const std::size_t lanes = hn::Lanes(Tag()), step = rows * kPanel;
    std::size_t at = row * kPanel;
    for (std::size_t whole = cols / kPanel; whole > 0; --whole, at += step) {
        for (std::size_t part = 0; part < kPanel; part += lanes) use(at + part);
    }
    const std::size_t rest = cols % kPanel;
    if (rest == 0) return;
    for (std::size_t part = 0; part < kPanel; part += lanes) {
        last(at + part, part < rest ? std::min(lanes, rest - part) : 0);
    }
}

void softmax_kernel(Panels s, float scale) {
    const Tag d;
    const Vec lowest = hn::Set(d, std::numeric_limits<float>::lowest());
    const Vec factor = hn::Set(d, scale), zero = hn::Zero(d);
    for (std::size_t row = 0; row < s.rows; ++row) {
        Vec most = lowest, sum = zero;
        for_row(
            s.rows, s.cols, row,
            [&](std::size_t at) HWY_ATTR { most = hn::Max(most, hn::LoadU(d, s.data + at)); },
            [&](std::size_t at, std::size_t left) HWY_ATTR {
                const Vec x = hn::LoadU(d, s.data + at);
                most = hn::Max(most, hn::IfThenElse(hn::FirstN(d, left), x, lowest));
            });
        most = hn::Mul(hn::MaxOfLanes(d, most), factor);
        // Rounding may leave the largest a little above 0.
        const auto exp_at = [&](std::size_t at) HWY_ATTR {
            const Vec x = hn::MulSub(hn::LoadU(d, s.data + at), factor, most);
            return exp_of_negative(d, hn::Min(x, zero));
        };
        for_row(
            s.rows, s.cols, row,
            [&](std::size_t at) HWY_ATTR {
                const Vec e = exp_at(at);
                hn::StoreU(e, d, s.data + at);
                sum = hn::Add(sum, e);
            },
            [&](std::size_t at, std::size_t left) HWY_ATTR {
                const Vec e = hn::IfThenElseZero(hn::FirstN(d, left), exp_at(at));
                hn::StoreU(e, d, s.data + at);
                sum = hn::Add(sum, e);
            });
        const Vec share = hn::Div(hn::Set(d, 1.0f), hn::SumOfLanes(d, sum));
        const auto divide = [&](std::size_t at) HWY_ATTR {
            hn::StoreU(hn::Mul(hn::LoadU(d, s.data + at), share), d, s.data + at);
        };
        for_row(s.rows, s.cols, row, divide,
                [&](std::size_t at, std::size_t) HWY_ATTR { divide(at); });
    }
}

void softmax_backward_kernel(ConstPanels p, float scale, Panels g) {
    const Tag d;
    const Vec factor = hn::Set(d, scale);
    for (std::size_t row = 0; row < p.rows; ++row) {
        Vec sum = hn::Zero(d);
        // Beyond the columns p is 0.
        const auto add = [&](std::size_t at) HWY_ATTR {
            sum = hn::MulAdd(hn::LoadU(d, p.data + at), hn::LoadU(d, g.data + at), sum);
        };
        for_row(p.rows, p.cols, row, add, [&](std::size_t at, std::size_t) HWY_ATTR { add(at); });
        const Vec mean = hn::SumOfLanes(d, sum);
        const auto put = [&](std::size_t at) HWY_ATTR {
            const Vec weighted = hn::Mul(hn::LoadU(d, p.data + at), factor);
            const Vec centred = hn::Sub(hn::LoadU(d, g.data + at), mean);
            hn::StoreU(hn::Mul(weighted, centred), d, g.data + at);
        };
        for_row(p.rows, p.cols, row, put, [&](std::size_t at, std::size_t) HWY_ATTR { put(at); });
    }
}

}  // namespace
}  // namespace solis::nn::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace solis::nn {

HWY_EXPORT(softmax_kernel);
HWY_EXPORT(softmax_backward_kernel);

void softmax_rows(Panels s, float scale) { HWY_DYNAMIC_DISPATCH(softmax_kernel)(s, scale); }
void softmax_rows_backward(ConstPanels p, float scale, Panels d) {
    HWY_DYNAMIC_DISPATCH(softmax_backward_kernel)(p, scale, d);
}

}  // namespace solis::nn
#endif
