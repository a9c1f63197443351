// A transformer layer, forward.
#include <algorithm>
#include <cmath>

#include "solis/nn/kernels/gelu.h"
#include "solis/nn/kernels/layer_norm.h"
#include "solis/nn/kernels/softmax.h"
#include "solis/nn/transformer/layer.h"

namespace solis::nn {

void apply(const PackedLinear& weight, const float* bias, ConstPanels x, Panels y,
           LinearScratch& scratch) {
    if (!weight.bf16_forward().empty()) {
        const Bf16Rows rows = scratch.left.rows(x.rows, x.cols);
        to_bf16(x, rows);
        multiply(rows, weight.bf16_forward().view(), bias, y, Into::Overwrite);
        return;
    }
    if (!weight.bytes().empty()) {
        const ByteRows bytes = scratch.bytes(x.rows, x.cols);
        quantize_rows(x, bytes);
        multiply(bytes, weight.bytes(), bias, y);
        return;
    }
    if (weight.integers().empty()) {
        multiply(x, weight.forward(), bias, y, Into::Overwrite);
        return;
    }
    const IntegerRows integers = scratch.integers(x.rows, x.cols);
    quantize_rows(x, integers);
    multiply(integers, weight.integers(), bias, y);
}

void attention_of_head(const LayerPlace& place, const AttentionBuffers& b, std::size_t head,
                       LayerScratch& scratch, Panels p) {
    const std::size_t dims = b.o.cols, width = dims / place.heads, first = head * width;
    const Panels queries = scratch.head(p.rows);
    transpose(b.qkv.columns(first, width), queries);
    multiply(b.qkv.columns(dims + first, width), queries, nullptr, p, Into::Overwrite);
    softmax_columns(p, 1 / std::sqrt(static_cast<float>(width)));
}

void attend(const LayerPlace& place, const AttentionBuffers& b, LayerScratch& scratch) {
    const std::size_t dims = b.o.cols, width = dims / place.heads;
    const Panels p = scratch.square(b.o.rows);
    for (std::size_t head = 0; head < place.heads; ++head) {
        const std::size_t first = head * width;
        attention_of_head(place, b, head, scratch, p);
        place.dropout.apply(p, place.layer, DropoutSite::Attention,
                            place.sample * place.heads + head);
        multiply_transposed(p, b.qkv.columns(2 * dims + first, width), b.o.columns(first, width),
                            Into::Overwrite);
    }
}

void feed(const PackedLayer& layer, const LayerPlace& place, ConstPanels x, ConstPanels o,
          const FeedBuffers& b, Panels out, LayerScratch& scratch) {
    const Panels change = scratch.narrow(x.rows), x1 = scratch.narrow2(x.rows);
    const Panels inner = scratch.wide(x.rows);
    apply(layer.out, layer.out_bias, o, change, scratch.linear());
    place.dropout.apply(change, place.layer, DropoutSite::AttentionOut, place.sample);
    normalize_rows(x, change, b.hat1, b.scales1);
    scale_and_shift(b.hat1, layer.norm1_gain, layer.norm1_bias, x1);

    apply(layer.up, layer.up_bias, x1, b.h, scratch.linear());
    gelu({b.h.data, b.h.floats()}, inner.data);
    place.dropout.apply(inner, place.layer, DropoutSite::MlpInner, place.sample);
    apply(layer.down, layer.down_bias, inner, change, scratch.linear());
    place.dropout.apply(change, place.layer, DropoutSite::MlpOut, place.sample);
    normalize_rows(x1, change, b.hat2, b.scales2);
    scale_and_shift(b.hat2, layer.norm2_gain, layer.norm2_bias, out);
}

}  // namespace solis::nn
