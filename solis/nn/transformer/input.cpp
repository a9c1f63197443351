// The pairs of rows and tokens that occur in some samples.
#include "solis/nn/transformer/input.h"

#include <algorithm>
#include <cstring>
#include <limits>

namespace solis::nn {
namespace {

constexpr std::uint32_t kUnseen = std::numeric_limits<std::uint32_t>::max();

// to's row i becomes from's row numbers[i].
void gather(ConstPanels from, std::span<const std::uint32_t> numbers, Panels to) {
    for (std::size_t col = 0; col < to.cols; col += kPanel) {
        for (std::size_t row = 0; row < to.rows; ++row) {
            std::memcpy(&to.at(row, col), &from.at(numbers[row], col), kPanel * sizeof(float));
        }
    }
}

// to's row numbers[i] += from's row i.
void scatter_add(ConstPanels from, std::span<const std::uint32_t> numbers, Panels to) {
    for (std::size_t col = 0; col < from.cols; col += kPanel) {
        for (std::size_t row = 0; row < from.rows; ++row) {
            const float* const source = &from.at(row, col);
            float* const target = &to.at(numbers[row], col);
            for (std::size_t i = 0; i < kPanel; ++i) target[i] += source[i];
        }
    }
}

}  // namespace

TransformerInput::TransformerInput(const TransformerShape& shape)
    : rows_(shape.rows()),
      dims_(static_cast<std::size_t>(shape.dims)),
      vocabulary_(static_cast<std::size_t>(shape.vocabulary)) {}

void TransformerInput::find_pairs(std::span<const std::uint8_t> tokens) {
    numbers_.assign(rows_ * vocabulary_, kUnseen);
    pairs_.clear();
    pair_of_row_.clear();
    for (std::size_t first = 0; first < tokens.size(); first += rows_ - 1) {
        for (std::size_t row = 0; row < rows_; ++row) {
            const std::uint8_t token = row == 0 ? std::uint8_t{0} : tokens[first + row - 1];
            std::uint32_t& number = numbers_[row * vocabulary_ + token];
            if (number == kUnseen) {
                number = static_cast<std::uint32_t>(pairs_.size());
                pairs_.push_back({row, token});
            }
            pair_of_row_.push_back(number);
        }
    }
}

void TransformerInput::forward(const TransformerWeights& weights, const PackedLayer* first_layer,
                               std::span<const std::uint8_t> tokens) {
    find_pairs(tokens);
    x_.resize(pairs_.size() * dims_);
    const Panels x = narrow(x_);
    const auto values = [&](std::size_t tensor) { return weights.all[tensor].values.data(); };
    for (std::size_t i = 0; i < pairs_.size(); ++i) {
        const auto [row, token] = pairs_[i];
        const float* const word = row == 0 ? values(kClsToken) : values(kEmbedding) + token * dims_;
        const float* const place = values(kPositions) + row * dims_;
        for (std::size_t col = 0; col < dims_; ++col) x.at(i, col) = word[col] + place[col];
    }
    if (first_layer == nullptr) return;
    qkv_.resize(pairs_.size() * 3 * dims_);
    apply(first_layer->in, first_layer->in_bias, x, wide(qkv_), scratch_);
}

void TransformerInput::read(std::size_t sample, Panels x) const {
    gather({x_.data(), pairs_.size(), dims_}, pairs_of(sample), x);
}

void TransformerInput::read_projected(std::size_t sample, Panels qkv) const {
    gather({qkv_.data(), pairs_.size(), 3 * dims_}, pairs_of(sample), qkv);
}

void TransformerInput::start_backward() {
    d_x_.assign(x_.size(), 0.0f);
    d_qkv_.assign(qkv_.size(), 0.0f);
}

void TransformerInput::add_gradient(std::size_t sample, ConstPanels d_x) {
    scatter_add(d_x, pairs_of(sample), narrow(d_x_));
}

void TransformerInput::add_projected_gradient(std::size_t sample, ConstPanels d_qkv) {
    scatter_add(d_qkv, pairs_of(sample), wide(d_qkv_));
}

void TransformerInput::backward(const PackedLayer* first_layer, TransformerGradients& gradients) {
    const Panels d_x = narrow(d_x_);
    if (first_layer != nullptr) {
        const LinearBackward in(first_layer->in, wide(d_qkv_), scratch_);
        in.add_gradients(narrow(x_), gradients.at(0, LayerPart::InWeight),
                         gradients.at(0, LayerPart::InBias));
        in.to_input(d_x, Into::Add);
    }
    for (std::size_t i = 0; i < pairs_.size(); ++i) {
        const auto [row, token] = pairs_[i];
        float* const word =
            row == 0 ? gradients.at(kClsToken) : gradients.at(kEmbedding) + token * dims_;
        float* const place = gradients.at(kPositions) + row * dims_;
        for (std::size_t col = 0; col < dims_; ++col) {
            word[col] += d_x.at(i, col);
            place[col] += d_x.at(i, col);
        }
    }
}

}  // namespace solis::nn
