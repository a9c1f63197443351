// Samples through the transformer, layer by layer: the weights of one, and their gradients, stay in
// the cache for all samples, and so does all that a sample needs in a layer.
#include <algorithm>
#include <cstring>

#include "solis/nn/counts.h"
#include "solis/nn/kernels/layer_norm.h"
#include "solis/nn/transformer/net.h"

namespace solis::nn {
namespace {

// One number per row, in whole cache lines.
std::size_t row_numbers(const TransformerShape& shape) {
    return panel_count(shape.rows()) * kPanel;
}

std::size_t floats_per_layer(const TransformerShape& shape) {
    return shape.rows() * (6 * size(shape.dims) + size(shape.mlp)) + 2 * row_numbers(shape);
}

}  // namespace

TransformerSlice::TransformerSlice(const TransformerShape& shape, std::size_t capacity, bool keep)
    : shape_(shape),
      keep_(keep),
      layer_floats_(floats_per_layer(shape)),
      kept_(layer_floats_ * (keep ? capacity * (size(shape.layers) - 1) : 1)),
      layer_inputs_(capacity * shape.rows() * size(shape.dims)),
      input_(shape),
      scratch_(shape, shape.rows()),
      cls_layer_(shape, capacity) {}

TransformerSlice::Buffers TransformerSlice::buffers(std::size_t sample, std::size_t layer) {
    const std::size_t index = keep_ ? sample * (size(shape_.layers) - 1) + layer : 0;
    float* at = kept_.data() + index * layer_floats_;
    const std::size_t rows = shape_.rows(), dims = size(shape_.dims);
    const auto take = [&](std::size_t floats) { return std::exchange(at, at + floats); };
    const auto take_panels = [&](std::size_t cols) {
        return Panels{take(rows * cols), rows, cols};
    };
    Buffers b{};
    b.attention.qkv = take_panels(3 * dims);
    b.attention.o = take_panels(dims);
    b.feed.hat1 = take_panels(dims);
    b.feed.hat2 = take_panels(dims);
    b.feed.h = take_panels(size(shape_.mlp));
    b.feed.scales1 = take(row_numbers(shape_));
    b.feed.scales2 = take(row_numbers(shape_));
    return b;
}

Panels TransformerSlice::layer_input(std::size_t sample) {
    const std::size_t rows = shape_.rows(), dims = size(shape_.dims);
    return {layer_inputs_.data() + sample * rows * dims, rows, dims};
}

void TransformerSlice::look_up_input(const PackedTransformer& net,
                                     std::span<const std::uint8_t> tokens, Panels qkv) const {
    for (std::size_t row = 0; row < qkv.rows; ++row) {
        const float* const from = net.input_projection(row, row == 0 ? 0 : tokens[row - 1]);
        for (std::size_t col = 0; col < qkv.cols; col += kPanel) {
            std::memcpy(&qkv.at(row, col), from + col, kPanel * sizeof(float));
        }
    }
}

void TransformerSlice::forward_layer(const PackedTransformer& net, std::size_t l,
                                     std::span<const std::uint8_t> tokens, const Dropout& dropout,
                                     std::uint64_t number, std::size_t sample) {
    const PackedLayer& layer = net.layer(l);
    const Panels x = layer_input(sample);
    const Buffers b = buffers(sample, l);
    const LayerPlace place{l, number, size(shape_.heads), dropout};
    if (l > 0) {
        apply(layer.in, layer.in_bias, x, b.attention.qkv, scratch_.linear());
    } else if (net.has_input_table()) {
        look_up_input(net, tokens, b.attention.qkv);
    } else {
        input_.read_projected(sample, b.attention.qkv);
    }
    if (layer.bf16_attention) {
        scratch_.bf16_attention().forward(place, b.attention, scratch_.square(x.rows));
    } else {
        attend(place, b.attention, scratch_);
    }
    feed(layer, place, x, b.attention.o, b.feed, x, scratch_);
}

void TransformerSlice::forward(const PackedTransformer& net, std::span<const std::uint8_t> tokens,
                               const Dropout& dropout, std::uint64_t first, std::span<float> z) {
    const std::size_t length = size(shape_.tokens), count = tokens.size() / length;
    const std::size_t last = size(shape_.layers) - 1;
    const bool wants_projection = last > 0 && !net.has_input_table();
    input_.forward(net.weights(), wants_projection ? &net.layer(0) : nullptr, tokens);
    inputs_.clear();
    for (std::size_t i = 0; i < count; ++i) {
        inputs_.push_back(layer_input(i));
        input_.read(i, layer_input(i));
    }
    for (std::size_t l = 0; l < last; ++l) {
        for (std::size_t i = 0; i < count; ++i) {
            forward_layer(net, l, tokens.subspan(i * length, length), dropout, first + i, i);
        }
    }
    cls_layer_.forward(net.cls_layer(), inputs_, {last, first, size(shape_.heads), dropout}, z);
}

void TransformerSlice::backward_layer(const PackedTransformer& net, std::size_t l,
                                      const Dropout& dropout, std::uint64_t number,
                                      std::size_t sample, TransformerGradients& gradients) {
    const PackedLayer& layer = net.layer(l);
    const Panels d = layer_input(sample);  // by now the gradient of what the layer made
    const Panels d_o = scratch_.narrow2(d.rows), d_qkv = scratch_.qkv(d.rows);
    const Buffers b = buffers(sample, l);
    const LayerPlace place{l, number, size(shape_.heads), dropout};
    feed_backward(layer, place, b.attention.o, b.feed, d, d_o, gradients, scratch_);
    if (layer.bf16_attention) {
        scratch_.bf16_attention().backward(place, b.attention, d_o, d_qkv, scratch_);
    } else {
        attend_backward(place, b.attention, d_o, d_qkv, scratch_);
    }
    if (l == 0) {
        input_.add_projected_gradient(sample, d_qkv);
        return;
    }
    const PackedLayer& below = net.layer(l - 1);
    const Panels x = scratch_.narrow(d.rows);
    scale_and_shift(buffers(sample, l - 1).feed.hat2, below.norm2_gain, below.norm2_bias, x);
    const LinearBackward in(layer.in, d_qkv, scratch_.linear());
    in.add_gradients(x, gradients.at(l, LayerPart::InWeight), gradients.at(l, LayerPart::InBias));
    in.to_input(d, Into::Add);
}

void TransformerSlice::backward(const PackedTransformer& net, const Dropout& dropout,
                                std::uint64_t first, std::span<const float> z,
                                std::span<const float> d_z, TransformerGradients& gradients,
                                AuxiliaryLossShare* auxiliary) {
    // The CLS layer replaces the rows by their gradients.
    for (std::size_t i = 0; auxiliary != nullptr && i < inputs_.size(); ++i) {
        auxiliary->differentiate(i, inputs_[i]);
    }
    cls_layer_.backward(net.cls_layer(), inputs_,
                        {size(shape_.layers) - 1, first, size(shape_.heads), dropout}, z, d_z,
                        gradients);
    for (std::size_t i = 0; auxiliary != nullptr && i < inputs_.size(); ++i) {
        auxiliary->add_gradient(i, inputs_[i]);
    }
    input_.start_backward();
    for (std::size_t l = size(shape_.layers) - 1; l-- > 0;) {
        for (std::size_t i = 0; i < inputs_.size(); ++i) {
            backward_layer(net, l, dropout, first + i, i, gradients);
        }
    }
    for (std::size_t i = 0; i < inputs_.size(); ++i) input_.add_gradient(i, inputs_[i]);
    input_.backward(shape_.layers > 1 ? &net.layer(0) : nullptr, gradients);
}

}  // namespace solis::nn
