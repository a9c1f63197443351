// Softmax through Highway, one vector of columns at a time.
#include "solis/nn/kernels/softmax.h"

#ifndef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "solis/nn/kernels/softmax.cpp"
#endif
#include <hwy/foreach_target.h>
// Highway wants the line above before these.
#include <hwy/highway.h>

#include "solis/nn/kernels/bf16-inl.h"
#include "solis/nn/kernels/exp-inl.h"
#include "solis/nn/kernels/tile-inl.h"

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

// Each column becomes e^(its values - the largest); returns what makes their sum 1.
HWY_INLINE Vec exponentials(float* from, float* end, Vec factor) {
    const Tag d;
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
    return hn::Div(hn::Set(d, 1.0f), sum);
}

void softmax_kernel(Panels s, float scale) {
    const Tag d;
    const Vec factor = hn::Set(d, scale * kLog2OfE);
    for_columns(s, [&](std::size_t first) HWY_ATTR {
        float* const from = s.data + first;
        float* const end = from + s.rows * kPanel;
        const Vec share = exponentials(from, end, factor);
        for (float* at = from; at < end; at += kPanel) {
            hn::StoreU(hn::Mul(hn::LoadU(d, at), share), d, at);
        }
    });
}

// Where the panel of the column that begins at `first` goes.
HWY_INLINE Bf16Places places_of(std::size_t first, std::size_t rows, const Bf16Copies& copies) {
    const std::size_t panel = first / (rows * kPanel);
    return {copies.rows == nullptr ? nullptr : copies.rows + panel * rows * kPanel,
            copies.pairs == nullptr ? nullptr : copies.pairs + panel * (rows + rows % 2) * kPanel};
}

// Stores value(offset) of each row of a column, two at a time.
template <class Format, class Value>
HWY_INLINE void store_column(std::size_t first, std::size_t rows, Bf16Places to, Value&& value) {
    const std::size_t part = first % kPanel;
    for (std::size_t row = 0; row < rows; row += 2, first += 2 * kPanel, to.advance()) {
        const bool has_second = row + 1 < rows;
        const Vec own = value(first);
        to.store<Format>(own, has_second ? value(first + kPanel) : hn::Zero(Tag()), has_second,
                         part);
    }
}

void softmax_bf16_kernel(Panels s, float scale, const Bf16Copies& copies) {
    with_best_bf16([&](auto format) HWY_ATTR {
        const Tag d;
        const Vec factor = hn::Set(d, scale * kLog2OfE);
        for_columns(s, [&](std::size_t first) HWY_ATTR {
            float* const from = s.data + first;
            const Vec share = exponentials(from, from + s.rows * kPanel, factor);
            store_column<decltype(format)>(
                first, s.rows, places_of(first, s.rows, copies), [&](std::size_t at) HWY_ATTR {
                    const Vec p = hn::Mul(hn::LoadU(d, s.data + at), share);
                    hn::StoreU(p, d, s.data + at);
                    return p;
                });
        });
    });
}

void exponentials_kernel(ConstPanels s, float scale, Bf16Pairs out, float* shares) {
    with_best_bf16([&](auto format) HWY_ATTR {
        const Tag d;
        const Vec factor = hn::Set(d, scale * kLog2OfE);
        for_columns(s, [&](std::size_t first) HWY_ATTR {
            const float* at = s.data + first;
            Vec most = hn::LoadU(d, at);
            for (std::size_t row = 1; row < s.rows; ++row) {
                most = hn::Max(most, hn::LoadU(d, at + row * kPanel));
            }
            const Vec shift = hn::Mul(most, factor);
            Vec even = hn::Zero(d), odd = hn::Zero(d);
            const std::size_t part = first % kPanel, panel = first / (s.rows * kPanel);
            Bf16Places to{nullptr, out.data + panel * out.lines() * 2 * kPanel};
            for (std::size_t row = 0; row < s.rows; row += 2, at += 2 * kPanel, to.advance()) {
                const bool has_second = row + 1 < s.rows;
                const Vec a =
                    coarse_exp2_of_negative(d, hn::MulSub(hn::LoadU(d, at), factor, shift));
                Vec b = hn::Zero(d);
                if (has_second) {
                    b = coarse_exp2_of_negative(
                        d, hn::MulSub(hn::LoadU(d, at + kPanel), factor, shift));
                }
                even = hn::Add(even, a);
                odd = hn::Add(odd, b);
                to.store<decltype(format)>(a, b, has_second, part);
            }
            const Vec share = hn::Div(hn::Set(d, 1.0f), hn::Add(even, odd));
            hn::StoreU(share, d, shares + panel * kPanel + part);
        });
    });
}

void scale_rows_kernel(Panels x, const float* factors) {
    const Tag d;
    for_columns(x, [&](std::size_t first) HWY_ATTR {
        float* at = x.data + first;
        for (std::size_t row = 0; row < x.rows; ++row, at += kPanel) {
            hn::StoreU(hn::Mul(hn::LoadU(d, at), hn::Set(d, factors[row])), d, at);
        }
    });
}

// The sum over a column of p g.
HWY_INLINE Vec mean_gradient(ConstPanels p, const float* g, std::size_t first) {
    const Tag d;
    const std::size_t end = first + p.rows * kPanel;
    Vec even = hn::Zero(d), odd = hn::Zero(d);
    std::size_t at = first;
    for (; at + kPanel < end; at += 2 * kPanel) {
        even = hn::MulAdd(hn::LoadU(d, p.data + at), hn::LoadU(d, g + at), even);
        const std::size_t other = at + kPanel;
        odd = hn::MulAdd(hn::LoadU(d, p.data + other), hn::LoadU(d, g + other), odd);
    }
    if (at < end) even = hn::MulAdd(hn::LoadU(d, p.data + at), hn::LoadU(d, g + at), even);
    return hn::Add(even, odd);
}

void softmax_backward_kernel(ConstPanels p, float scale, Panels g) {
    const Tag d;
    const Vec factor = hn::Set(d, scale);
    for_columns(p, [&](std::size_t first) HWY_ATTR {
        const std::size_t end = first + p.rows * kPanel;
        const Vec mean = mean_gradient(p, g.data, first);
        for (std::size_t at = first; at < end; at += kPanel) {
            const Vec weighted = hn::Mul(hn::LoadU(d, p.data + at), factor);
            const Vec centred = hn::Sub(hn::LoadU(d, g.data + at), mean);
            hn::StoreU(hn::Mul(weighted, centred), d, g.data + at);
        }
    });
}

void softmax_backward_bf16_kernel(ConstPanels p, float scale, ConstPanels g,
                                  const Bf16Copies& copies) {
    with_best_bf16([&](auto format) HWY_ATTR {
        const Tag d;
        const Vec factor = hn::Set(d, scale);
        for_columns(p, [&](std::size_t first) HWY_ATTR {
            const Vec mean = mean_gradient(p, g.data, first);
            store_column<decltype(format)>(
                first, p.rows, places_of(first, p.rows, copies), [&](std::size_t at) HWY_ATTR {
                    const Vec weighted = hn::Mul(hn::LoadU(d, p.data + at), factor);
                    return hn::Mul(weighted, hn::Sub(hn::LoadU(d, g.data + at), mean));
                });
        });
    });
}

}  // namespace
}  // namespace solis::nn::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace solis::nn {

HWY_EXPORT(softmax_kernel);
HWY_EXPORT(softmax_bf16_kernel);
HWY_EXPORT(exponentials_kernel);
HWY_EXPORT(scale_rows_kernel);
HWY_EXPORT(softmax_backward_kernel);
HWY_EXPORT(softmax_backward_bf16_kernel);

void softmax_columns(Panels s, float scale) { HWY_DYNAMIC_DISPATCH(softmax_kernel)(s, scale); }
void softmax_columns(Panels s, float scale, const Bf16Copies& copies) {
    HWY_DYNAMIC_DISPATCH(softmax_bf16_kernel)(s, scale, copies);
}
void column_exponentials(ConstPanels s, float scale, Bf16Pairs out, float* shares) {
    HWY_DYNAMIC_DISPATCH(exponentials_kernel)(s, scale, out, shares);
}
void scale_rows(Panels x, const float* factors) {
    HWY_DYNAMIC_DISPATCH(scale_rows_kernel)(x, factors);
}
void softmax_columns_backward(ConstPanels p, float scale, Panels d) {
    HWY_DYNAMIC_DISPATCH(softmax_backward_kernel)(p, scale, d);
}
void softmax_columns_backward(ConstPanels p, float scale, ConstPanels d, const Bf16Copies& copies) {
    HWY_DYNAMIC_DISPATCH(softmax_backward_bf16_kernel)(p, scale, d, copies);
}

}  // namespace solis::nn
#endif
