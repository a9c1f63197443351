// Attention of training whose products are those of bfloat16, forward and backward. Softmax stays
// in floats.
#include <algorithm>
#include <cmath>

#include "solis/nn/kernels/softmax.h"
#include "solis/nn/transformer/layer.h"

namespace solis::nn {
namespace {

float score_scale(std::size_t width) { return 1 / std::sqrt(static_cast<float>(width)); }

void drop_attention(const LayerPlace& place, std::size_t head, Panels p) {
    place.dropout.apply(p, place.layer, DropoutSite::Attention, place.sample * place.heads + head);
}

}  // namespace

void Bf16Attention::score(ConstBf16Rows queries, ConstBf16Rows keys, Panels scores) {
    const Bf16Pairs turned = turned_.pairs(queries.cols, queries.rows);
    transpose(queries, turned);
    multiply(keys, turned, nullptr, scores, Into::Overwrite);
}

void Bf16Attention::weigh(const LayerPlace& place, std::size_t head, ConstBf16Rows queries,
                          ConstBf16Rows keys, Panels p, Panels dropped, const Bf16Copies& copies) {
    score(queries, keys, p);
    const float scale = score_scale(queries.cols);
    if (place.dropout.rate == 0) return softmax_columns(p, scale, copies);
    softmax_columns(p, scale);
    if (dropped.data != p.data) std::copy_n(p.data, p.floats(), dropped.data);
    drop_attention(place, head, dropped);
    if (copies.rows != nullptr) to_bf16(dropped, Bf16Rows{copies.rows, p.rows, p.cols});
    if (copies.pairs != nullptr) to_bf16(dropped, Bf16Pairs{copies.pairs, p.rows, p.cols});
}

void Bf16Attention::forward(const LayerPlace& place, const AttentionBuffers& b, Panels p) {
    const std::size_t rows = b.o.rows, dims = b.o.cols, width = dims / place.heads;
    const Bf16Rows in = in_rows_.rows(rows, 2 * dims);
    const Bf16Pairs values = in_pairs_.pairs(rows, dims), weights = p_pairs_.pairs(rows, rows);
    to_bf16(b.qkv.columns(0, 2 * dims), in);
    to_bf16(b.qkv.columns(2 * dims, dims), values);
    shares_.resize(panel_count(rows) * kPanel);
    for (std::size_t head = 0; head < place.heads; ++head) {
        const std::size_t first = head * width;
        const Bf16Rows queries = in.columns(first, width), keys = in.columns(dims + first, width);
        const Panels o = b.o.columns(first, width);
        const bool dropping = place.dropout.rate > 0;
        if (dropping) {
            weigh(place, head, queries, keys, p, p, {nullptr, weights.data});
        } else {
            score(queries, keys, p);
            column_exponentials(p, score_scale(width), weights, shares_.data());
        }
        multiply_transposed(weights, values.columns(first, width), o, Into::Overwrite);
        if (!dropping) scale_rows(o, shares_.data());
    }
}

void Bf16Attention::backward(const LayerPlace& place, const AttentionBuffers& b, ConstPanels d_o,
                             Panels d_qkv, LayerScratch& scratch) {
    const std::size_t rows = b.o.rows, dims = b.o.cols, width = dims / place.heads;
    const Bf16Rows in = in_rows_.rows(rows, 3 * dims), d_out = out_rows_.rows(rows, dims);
    const Bf16Pairs in_pairs = in_pairs_.pairs(rows, 2 * dims);
    const Bf16Pairs d_out_pairs = out_pairs_.pairs(rows, dims);
    to_bf16(b.qkv.columns(0, 2 * dims), in.columns(0, 2 * dims), in_pairs);
    to_bf16(b.qkv.columns(2 * dims, dims), in.columns(2 * dims, dims));
    to_bf16(d_o, d_out, d_out_pairs);
    const Panels p = scratch.square(rows), d_p = scratch.square2(rows);
    const Bf16Rows p_rows = p_rows_.rows(rows, rows);
    const Bf16Pairs p_pairs = p_pairs_.pairs(rows, rows);
    const Bf16Pairs turned = turned_.pairs(width, rows);
    for (std::size_t head = 0; head < place.heads; ++head) {
        const std::size_t first = head * width;
        weigh(place, head, in.columns(first, width), in.columns(dims + first, width), p,
              scratch.square3(rows), {p_rows.data, nullptr});
        multiply(p_rows, d_out_pairs.columns(first, width), nullptr,
                 d_qkv.columns(2 * dims + first, width), Into::Overwrite);
        transpose(d_out.columns(first, width), turned);
        multiply(in.columns(2 * dims + first, width), turned, nullptr, d_p, Into::Overwrite);
        drop_attention(place, head, d_p);
        softmax_columns_backward(p, score_scale(width), d_p, {p_rows.data, p_pairs.data});
        multiply_transposed(p_pairs, in_pairs.columns(dims + first, width),
                            d_qkv.columns(first, width), Into::Overwrite);
        multiply(p_rows, in_pairs.columns(first, width), nullptr,
                 d_qkv.columns(dims + first, width), Into::Overwrite);
    }
}

}  // namespace solis::nn
