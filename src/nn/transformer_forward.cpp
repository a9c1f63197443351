// A transformer layer, forward.
#include <algorithm>
#include <cmath>

#include "nn/gelu.h"
#include "nn/layer_norm.h"
#include "nn/softmax.h"
#include "nn/transformer_layer.h"

namespace solis::nn {

void attend(const LayerPlace& place, const AttentionBuffers& b, LayerScratch& scratch) {
    const std::size_t rows = b.o.rows, dims = b.o.cols, width = dims / place.heads;
    const float scale = 1 / std::sqrt(static_cast<float>(width));
    const Panels queries = scratch.head(rows);
    for (std::size_t head = 0; head < place.heads; ++head) {
        const std::size_t first = head * width;
        transpose(b.qkv.columns(first, width), queries);
        Panels p{b.p + head * b.p_step, rows, rows};
        multiply(b.qkv.columns(dims + first, width), queries, nullptr, p, Into::Overwrite);
        softmax_columns(p, scale);
        if (place.dropout.rate > 0) {
            const Panels dropped = scratch.square(rows);
            std::copy_n(p.data, p.floats(), dropped.data);
            place.dropout.apply(dropped, place.layer, DropoutSite::Attention,
                                place.sample * place.heads + head);
            p = dropped;
        }
        multiply_transposed(p, b.qkv.columns(2 * dims + first, width), b.o.columns(first, width),
                            Into::Overwrite);
    }
}

void feed(const PackedLayer& layer, const LayerPlace& place, ConstPanels x, ConstPanels o,
          const FeedBuffers& b, Panels out, LayerScratch& scratch) {
    const Panels change = scratch.narrow(x.rows), inner = scratch.wide(x.rows);
    multiply(o, layer.out.forward(), layer.out_bias, change, Into::Overwrite);
    place.dropout.apply(change, place.layer, DropoutSite::AttentionOut, place.sample);
    normalize_rows(x, change, b.hat1, b.scales1);
    scale_and_shift(b.hat1, layer.norm1_gain, layer.norm1_bias, b.x1);

    multiply(b.x1, layer.up.forward(), layer.up_bias, b.h, Into::Overwrite);
    gelu({b.h.data, b.h.floats()}, inner.data);
    place.dropout.apply(inner, place.layer, DropoutSite::MlpInner, place.sample);
    multiply(inner, layer.down.forward(), layer.down_bias, change, Into::Overwrite);
    place.dropout.apply(change, place.layer, DropoutSite::MlpOut, place.sample);
    normalize_rows(b.x1, change, b.hat2, b.scales2);
    scale_and_shift(b.hat2, layer.norm2_gain, layer.norm2_bias, out);
}

}  // namespace solis::nn
