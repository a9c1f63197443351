// Layer normalisation through Highway.
#include "solis/nn/kernels/layer_norm.h"

#include <cmath>

#ifndef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "solis/nn/kernels/layer_norm.cpp"
#endif
#include <hwy/foreach_target.h>
// Highway wants the line above before these.
#include <hwy/highway.h>

#include "solis/nn/kernels/tile-inl.h"

HWY_BEFORE_NAMESPACE();
namespace solis::nn::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

using Tag = PanelTag;
using Vec = hn::Vec<Tag>;

constexpr float kEpsilon = 1e-5f;

// Calls use(first element, first column) for each vector of a row.
template <class Use>
HWY_INLINE void for_row(ConstPanels m, std::size_t row, Use&& use) {
    const std::size_t lanes = hn::Lanes(Tag());
    for (std::size_t col = 0; col < m.cols; col += kPanel) {
        const std::size_t at = col * m.rows + row * kPanel;
        for (std::size_t part = 0; part < kPanel; part += lanes) use(at + part, col + part);
    }
}

void normalize_kernel(ConstPanels x, ConstPanels residual, Panels hat, float* scales) {
    const Tag d;
    const float count = static_cast<float>(x.cols);
    for (std::size_t row = 0; row < x.rows; ++row) {
        Vec sum = hn::Zero(d);
        for_row(x, row, [&](std::size_t at, std::size_t) HWY_ATTR {
            const Vec v = hn::Add(hn::LoadU(d, x.data + at), hn::LoadU(d, residual.data + at));
            hn::StoreU(v, d, hat.data + at);
            sum = hn::Add(sum, v);
        });
        const Vec mean = hn::Div(hn::SumOfLanes(d, sum), hn::Set(d, count));
        Vec squares = hn::Zero(d);
        for_row(x, row, [&](std::size_t at, std::size_t) HWY_ATTR {
            const Vec v = hn::Sub(hn::LoadU(d, hat.data + at), mean);
            squares = hn::MulAdd(v, v, squares);
        });
        const float variance = hn::GetLane(hn::SumOfLanes(d, squares)) / count;
        scales[row] = 1 / std::sqrt(variance + kEpsilon);
        const Vec scale = hn::Set(d, scales[row]);
        for_row(x, row, [&](std::size_t at, std::size_t) HWY_ATTR {
            const Vec v = hn::Sub(hn::LoadU(d, hat.data + at), mean);
            hn::StoreU(hn::Mul(v, scale), d, hat.data + at);
        });
    }
}

void scale_kernel(ConstPanels hat, const float* gain, const float* bias, Panels out) {
    const Tag d;
    const std::size_t lanes = hn::Lanes(d);
    for (std::size_t col = 0; col < hat.cols; col += lanes) {
        const Vec g = hn::LoadU(d, gain + col), b = hn::LoadU(d, bias + col);
        const std::size_t first = col / kPanel * kPanel * hat.rows + col % kPanel;
        for (std::size_t row = 0; row < hat.rows; ++row) {
            const std::size_t at = first + row * kPanel;
            hn::StoreU(hn::MulAdd(hn::LoadU(d, hat.data + at), g, b), d, out.data + at);
        }
    }
}

void backward_kernel(ConstPanels hat, const float* scales, const float* gain, Panels g,
                     float* d_gain, float* d_bias) {
    const Tag d;
    const std::size_t lanes = hn::Lanes(d);
    for (std::size_t col = 0; col < hat.cols; col += lanes) {
        const std::size_t first = col / kPanel * kPanel * hat.rows + col % kPanel;
        Vec gains = hn::LoadU(d, d_gain + col), biases = hn::LoadU(d, d_bias + col);
        const Vec factor = hn::LoadU(d, gain + col);
        for (std::size_t row = 0; row < hat.rows; ++row) {
            const std::size_t at = first + row * kPanel;
            const Vec v = hn::LoadU(d, g.data + at);
            gains = hn::MulAdd(v, hn::LoadU(d, hat.data + at), gains);
            biases = hn::Add(biases, v);
            hn::StoreU(hn::Mul(v, factor), d, g.data + at);
        }
        hn::StoreU(gains, d, d_gain + col);
        hn::StoreU(biases, d, d_bias + col);
    }
    const Vec share = hn::Set(d, 1 / static_cast<float>(hat.cols));
    for (std::size_t row = 0; row < hat.rows; ++row) {
        Vec sum = hn::Zero(d), along = hn::Zero(d);
        for_row(hat, row, [&](std::size_t at, std::size_t) HWY_ATTR {
            const Vec v = hn::LoadU(d, g.data + at);
            sum = hn::Add(sum, v);
            along = hn::MulAdd(v, hn::LoadU(d, hat.data + at), along);
        });
        sum = hn::Mul(hn::SumOfLanes(d, sum), share);
        along = hn::Mul(hn::SumOfLanes(d, along), share);
        const Vec scale = hn::Set(d, scales[row]);
        for_row(hat, row, [&](std::size_t at, std::size_t) HWY_ATTR {
            const Vec centred = hn::Sub(hn::LoadU(d, g.data + at), sum);
            const Vec v = hn::NegMulAdd(hn::LoadU(d, hat.data + at), along, centred);
            hn::StoreU(hn::Mul(v, scale), d, g.data + at);
        });
    }
}

}  // namespace
}  // namespace solis::nn::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace solis::nn {

HWY_EXPORT(normalize_kernel);
HWY_EXPORT(scale_kernel);
HWY_EXPORT(backward_kernel);

void normalize_rows(ConstPanels x, ConstPanels residual, Panels hat, float* scales) {
    HWY_DYNAMIC_DISPATCH(normalize_kernel)(x, residual, hat, scales);
}
void scale_and_shift(ConstPanels hat, const float* gain, const float* bias, Panels out) {
    HWY_DYNAMIC_DISPATCH(scale_kernel)(hat, gain, bias, out);
}
void layer_norm_backward(ConstPanels hat, const float* scales, const float* gain, Panels d,
                         float* d_gain, float* d_bias) {
    HWY_DYNAMIC_DISPATCH(backward_kernel)(hat, scales, gain, d, d_gain, d_bias);
}

}  // namespace solis::nn
#endif
