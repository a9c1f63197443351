// A transformer layer, backward.
#include <algorithm>
#include <cmath>

#include "solis/nn/kernels/gelu.h"
#include "solis/nn/kernels/layer_norm.h"
#include "solis/nn/kernels/softmax.h"
#include "solis/nn/transformer/layer.h"

namespace solis::nn {
namespace {

// The gradient before dropout: d itself where there is none.
ConstPanels before_dropout(const LayerPlace& place, DropoutSite site, ConstPanels d, Panels room) {
    if (place.dropout.rate == 0) return d;
    std::copy_n(d.data, d.floats(), room.data);
    place.dropout.apply(room, place.layer, site, place.sample);
    return room;
}

}  // namespace

void add_linear_gradients(ConstPanels d_y, ConstPanels x, float* d_weight, float* d_bias) {
    multiply_transposed(d_y, x, {d_weight, d_y.cols, x.cols}, Into::Add);
    add_column_sums(d_y, d_bias);
}

LinearBackward::LinearBackward(const PackedLinear& weight, ConstPanels d_y, LinearScratch& scratch)
    : weight_(weight), d_y_(d_y), scratch_(scratch), is_bf16_(!weight.bf16_backward().empty()) {
    if (!is_bf16_) return;
    rows_ = scratch.left.rows(d_y.rows, d_y.cols);
    pairs_ = scratch.outputs.pairs(d_y.rows, d_y.cols);
    to_bf16(d_y, rows_, pairs_);
}

void LinearBackward::to_input(Panels d_x, Into into) const {
    if (is_bf16_) {
        multiply(rows_, weight_.bf16_backward().view(), nullptr, d_x, into);
    } else {
        multiply(d_y_, weight_.backward(), nullptr, d_x, into);
    }
}

void LinearBackward::add_gradients(ConstPanels x, float* d_weight, float* d_bias) const {
    if (!is_bf16_) return add_linear_gradients(d_y_, x, d_weight, d_bias);
    const Bf16Pairs inputs = scratch_.inputs.pairs(x.rows, x.cols);
    to_bf16(x, inputs);
    multiply_transposed(pairs_, inputs, {d_weight, d_y_.cols, x.cols}, Into::Add);
    add_column_sums(d_y_, d_bias);
}

void attend_backward(const LayerPlace& place, const AttentionBuffers& b, ConstPanels d_o,
                     Panels d_qkv, LayerScratch& scratch) {
    const std::size_t rows = b.o.rows, dims = b.o.cols, width = dims / place.heads;
    const float scale = 1 / std::sqrt(static_cast<float>(width));
    const Panels p = scratch.square(rows), d_p = scratch.square2(rows);
    const Panels d_outputs = scratch.head(rows);
    for (std::size_t head = 0; head < place.heads; ++head) {
        const std::size_t first = head * width;
        const std::uint64_t number = place.sample * place.heads + head;
        attention_of_head(place, b, head, scratch, p);
        const ConstPanels d_head = d_o.columns(first, width);
        ConstPanels used = p;
        if (place.dropout.rate > 0) {
            const Panels dropped = scratch.square3(rows);
            std::copy_n(p.data, p.floats(), dropped.data);
            place.dropout.apply(dropped, place.layer, DropoutSite::Attention, number);
            used = dropped;
        }
        multiply(used, d_head, nullptr, d_qkv.columns(2 * dims + first, width), Into::Overwrite);
        transpose(d_head, d_outputs);
        multiply(b.qkv.columns(2 * dims + first, width), d_outputs, nullptr, d_p, Into::Overwrite);
        place.dropout.apply(d_p, place.layer, DropoutSite::Attention, number);
        softmax_columns_backward(p, scale, d_p);
        multiply_transposed(d_p, b.qkv.columns(dims + first, width), d_qkv.columns(first, width),
                            Into::Overwrite);
        multiply(d_p, b.qkv.columns(first, width), nullptr, d_qkv.columns(dims + first, width),
                 Into::Overwrite);
    }
}

void feed_backward(const PackedLayer& layer, const LayerPlace& place, ConstPanels o,
                   const FeedBuffers& b, Panels d, Panels d_o, TransformerGradients& gradients,
                   LayerScratch& scratch) {
    const auto part = [&](LayerPart which) { return gradients.at(place.layer, which); };
    const Panels inner = scratch.wide(d.rows), d_inner = scratch.wide2(d.rows);
    const Panels room = scratch.narrow(d.rows), x1 = scratch.narrow3(d.rows);
    scale_and_shift(b.hat1, layer.norm1_gain, layer.norm1_bias, x1);
    layer_norm_backward(b.hat2, b.scales2, layer.norm2_gain, d, part(LayerPart::Norm2Weight),
                        part(LayerPart::Norm2Bias));
    const ConstPanels d_down = before_dropout(place, DropoutSite::MlpOut, d, room);
    const LinearBackward down(layer.down, d_down, scratch.linear());
    down.to_input(d_inner, Into::Overwrite);
    place.dropout.apply(d_inner, place.layer, DropoutSite::MlpInner, place.sample);
    gelu_backward({b.h.data, b.h.floats()}, inner.data, d_inner.data);
    place.dropout.apply(inner, place.layer, DropoutSite::MlpInner, place.sample);
    down.add_gradients(inner, part(LayerPart::DownWeight), part(LayerPart::DownBias));
    const LinearBackward up(layer.up, d_inner, scratch.linear());
    up.add_gradients(x1, part(LayerPart::UpWeight), part(LayerPart::UpBias));
    up.to_input(d, Into::Add);

    layer_norm_backward(b.hat1, b.scales1, layer.norm1_gain, d, part(LayerPart::Norm1Weight),
                        part(LayerPart::Norm1Bias));
    const ConstPanels d_out = before_dropout(place, DropoutSite::AttentionOut, d, room);
    const LinearBackward out(layer.out, d_out, scratch.linear());
    out.add_gradients(o, part(LayerPart::OutWeight), part(LayerPart::OutBias));
    out.to_input(d_o, Into::Overwrite);
}

}  // namespace solis::nn
