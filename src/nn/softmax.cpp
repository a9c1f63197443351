// Softmax through Highway, one row at a time.
#include "nn/softmax.h"

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

// Calls use(first element, columns that count) for each vector of a row.
template <class Use>
HWY_INLINE void for_row(std::size_t rows, std::size_t cols, std::size_t row, Use&& use) {
    const std::size_t lanes = hn::Lanes(Tag());
    const std::size_t padded = panel_count(cols) * kPanel;
    for (std::size_t col = 0; col < padded; col += lanes) {
        use((col / kPanel * rows + row) * kPanel + col % kPanel, col < cols ? cols - col : 0);
    }
}

void softmax_kernel(Panels s, float scale) {
    const Tag d;
    const std::size_t lanes = hn::Lanes(d);
    const Vec lowest = hn::Set(d, std::numeric_limits<float>::lowest());
    const Vec factor = hn::Set(d, scale);
    for (std::size_t row = 0; row < s.rows; ++row) {
        Vec most = lowest;
        for_row(s.rows, s.cols, row, [&](std::size_t at, std::size_t left) HWY_ATTR {
            const Vec x = hn::LoadU(d, s.data + at);
            most =
                hn::Max(most, left >= lanes ? x : hn::IfThenElse(hn::FirstN(d, left), x, lowest));
        });
        most = hn::Mul(hn::MaxOfLanes(d, most), factor);
        Vec sum = hn::Zero(d);
        for_row(s.rows, s.cols, row, [&](std::size_t at, std::size_t left) HWY_ATTR {
            const Vec x = hn::MulSub(hn::LoadU(d, s.data + at), factor, most);
            // Rounding may leave the largest a little above 0.
            Vec e = exp_of_negative(d, hn::Min(x, hn::Zero(d)));
            if (left < lanes) e = hn::IfThenElseZero(hn::FirstN(d, left), e);
            hn::StoreU(e, d, s.data + at);
            sum = hn::Add(sum, e);
        });
        const Vec share = hn::Div(hn::Set(d, 1.0f), hn::SumOfLanes(d, sum));
        for_row(s.rows, s.cols, row, [&](std::size_t at, std::size_t) HWY_ATTR {
            hn::StoreU(hn::Mul(hn::LoadU(d, s.data + at), share), d, s.data + at);
        });
    }
}

void softmax_backward_kernel(ConstPanels p, float scale, Panels g) {
    const Tag d;
    const Vec factor = hn::Set(d, scale);
    for (std::size_t row = 0; row < p.rows; ++row) {
        Vec sum = hn::Zero(d);
        for_row(p.rows, p.cols, row, [&](std::size_t at, std::size_t) HWY_ATTR {
            sum = hn::MulAdd(hn::LoadU(d, p.data + at), hn::LoadU(d, g.data + at), sum);
        });
        const Vec mean = hn::SumOfLanes(d, sum);
        for_row(p.rows, p.cols, row, [&](std::size_t at, std::size_t) HWY_ATTR {
            const Vec weighted = hn::Mul(hn::LoadU(d, p.data + at), factor);
            const Vec centred = hn::Sub(hn::LoadU(d, g.data + at), mean);
            hn::StoreU(hn::Mul(weighted, centred), d, g.data + at);
        });
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
