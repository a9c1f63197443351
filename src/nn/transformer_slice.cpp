// Samples through the transformer, one after the other: everything of one stays in the cache.
#include <algorithm>

#include "nn/counts.h"
#include "nn/transformer_net.h"

namespace solis::nn {
namespace {

// One number per row, in whole cache lines.
std::size_t row_numbers(const TransformerShape& shape) {
    return panel_count(shape.rows()) * kPanel;
}

std::size_t floats_per_layer(const TransformerShape& shape, bool keep) {
    const std::size_t rows = shape.rows(), heads = keep ? size(shape.heads) : 1;
    return rows * (8 * size(shape.dims) + size(shape.mlp)) + heads * panel_floats(rows, rows) +
           2 * row_numbers(shape);
}

}  // namespace

TransformerSlice::TransformerSlice(const TransformerShape& shape, std::size_t capacity, bool keep)
    : shape_(shape),
      keep_(keep),
      layer_floats_(floats_per_layer(shape, keep)),
      kept_(layer_floats_ * (keep ? capacity * (size(shape.layers) - 1) : 1)),
      last_inputs_(capacity * shape.rows() * size(shape.dims)),
      scratch_(shape, shape.rows()),
      head_(shape, capacity) {}

TransformerSlice::Buffers TransformerSlice::buffers(std::size_t sample, std::size_t layer) {
    const std::size_t index = keep_ ? sample * (size(shape_.layers) - 1) + layer : 0;
    float* at = kept_.data() + index * layer_floats_;
    const std::size_t rows = shape_.rows(), dims = size(shape_.dims);
    const auto take = [&](std::size_t floats) { return std::exchange(at, at + floats); };
    const auto take_panels = [&](std::size_t cols) {
        return Panels{take(rows * cols), rows, cols};
    };
    Buffers b{};
    b.x = take_panels(dims);
    b.attention.qkv = take_panels(3 * dims);
    b.attention.o = take_panels(dims);
    b.feed.hat1 = take_panels(dims);
    b.feed.x1 = take_panels(dims);
    b.feed.hat2 = take_panels(dims);
    b.feed.h = take_panels(size(shape_.mlp));
    b.feed.scales1 = take(row_numbers(shape_));
    b.feed.scales2 = take(row_numbers(shape_));
    b.attention.p = at;
    b.attention.p_step = keep_ ? panel_floats(rows, rows) : 0;
    return b;
}

Panels TransformerSlice::last_input(std::size_t sample) {
    const std::size_t rows = shape_.rows(), dims = size(shape_.dims);
    return {last_inputs_.data() + sample * rows * dims, rows, dims};
}

void TransformerSlice::embed(const PackedTransformer& net, std::span<const std::uint8_t> tokens,
                             Panels x) const {
    const std::vector<Tensor>& all = net.weights().all;
    const float* const positions = all[kPositions].values.data();
    for (std::size_t row = 0; row < x.rows; ++row) {
        const float* const token = row == 0
                                       ? all[kClsToken].values.data()
                                       : all[kEmbedding].values.data() + tokens[row - 1] * x.cols;
        for (std::size_t col = 0; col < x.cols; col += kPanel) {
            float* const to = &x.at(row, col);
            for (std::size_t i = 0; i < kPanel; ++i) {
                to[i] = token[col + i] + positions[row * x.cols + col + i];
            }
        }
    }
}

void TransformerSlice::project_input(const PackedTransformer& net,
                                     std::span<const std::uint8_t> tokens, Panels qkv) const {
    for (std::size_t row = 0; row < qkv.rows; ++row) {
        const float* const from = net.input_projection(row, row == 0 ? 0 : tokens[row - 1]);
        for (std::size_t col = 0; col < qkv.cols; col += kPanel) {
            std::copy_n(from + col, kPanel, &qkv.at(row, col));
        }
    }
}

void TransformerSlice::forward_sample(const PackedTransformer& net,
                                      std::span<const std::uint8_t> tokens, const Dropout& dropout,
                                      std::uint64_t number, std::size_t sample) {
    const std::size_t layers = size(shape_.layers) - 1;
    embed(net, tokens, layers == 0 ? last_input(sample) : buffers(sample, 0).x);
    for (std::size_t l = 0; l < layers; ++l) {
        const PackedLayer& layer = net.layer(l);
        const Buffers b = buffers(sample, l);
        const LayerPlace place{l, number, size(shape_.heads), dropout};
        if (l == 0 && !keep_ && net.has_input_table()) {
            project_input(net, tokens, b.attention.qkv);
        } else {
            multiply(b.x, layer.in.forward(), layer.in_bias, b.attention.qkv, Into::Overwrite);
        }
        attend(place, b.attention, scratch_);
        const Panels out = l + 1 == layers ? last_input(sample) : buffers(sample, l + 1).x;
        feed(layer, place, b.x, b.attention.o, b.feed, out, scratch_);
    }
}

void TransformerSlice::forward(const PackedTransformer& net, std::span<const std::uint8_t> tokens,
                               const Dropout& dropout, std::uint64_t first, std::span<float> z) {
    const std::size_t length = size(shape_.tokens), count = tokens.size() / length;
    inputs_.clear();
    for (std::size_t i = 0; i < count; ++i) {
        forward_sample(net, tokens.subspan(i * length, length), dropout, first + i, i);
        inputs_.push_back(last_input(i));
    }
    head_.forward(net.head(), inputs_,
                  {size(shape_.layers) - 1, first, size(shape_.heads), dropout}, z);
}

void TransformerSlice::backward_sample(const PackedTransformer& net,
                                       std::span<const std::uint8_t> tokens, const Dropout& dropout,
                                       std::uint64_t number, std::size_t sample,
                                       TransformerGradients& gradients) {
    const Panels d = last_input(sample);
    const Panels d_o = scratch_.narrow2(d.rows), d_qkv = scratch_.qkv(d.rows);
    for (std::size_t l = size(shape_.layers) - 1; l-- > 0;) {
        const PackedLayer& layer = net.layer(l);
        const Buffers b = buffers(sample, l);
        const LayerPlace place{l, number, size(shape_.heads), dropout};
        feed_backward(layer, place, b.attention.o, b.feed, d, d_o, gradients, scratch_);
        attend_backward(place, b.attention, d_o, d_qkv, scratch_);
        add_linear_gradients(d_qkv, b.x, gradients.at(l, LayerPart::InWeight),
                             gradients.at(l, LayerPart::InBias));
        multiply(d_qkv, layer.in.backward(), nullptr, d, Into::Add);
    }
    for (std::size_t row = 0; row < d.rows; ++row) {
        float* const token = row == 0 ? gradients.at(kClsToken)
                                      : gradients.at(kEmbedding) + tokens[row - 1] * d.cols;
        float* const position = gradients.at(kPositions) + row * d.cols;
        for (std::size_t col = 0; col < d.cols; col += kPanel) {
            const float* const from = &d.at(row, col);
            for (std::size_t i = 0; i < kPanel; ++i) token[col + i] += from[i];
            for (std::size_t i = 0; i < kPanel; ++i) position[col + i] += from[i];
        }
    }
}

void TransformerSlice::backward(const PackedTransformer& net, std::span<const std::uint8_t> tokens,
                                const Dropout& dropout, std::uint64_t first,
                                std::span<const float> z, std::span<const float> d_z,
                                TransformerGradients& gradients) {
    head_.backward(net.head(), inputs_,
                   {size(shape_.layers) - 1, first, size(shape_.heads), dropout}, z, d_z,
                   gradients);
    const std::size_t length = size(shape_.tokens);
    for (std::size_t i = 0; i < inputs_.size(); ++i) {
        backward_sample(net, tokens.subspan(i * length, length), dropout, first + i, i, gradients);
    }
}

}  // namespace solis::nn
