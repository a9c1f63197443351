// The first layer's input. What a token is in a row (its embedding and place, and the queries, keys
// and values made of them) is the same in every sample, and few of these pairs occur: they are
// computed once for all samples of a slice, and their gradients are added up before they go through
// the weights.
#pragma once
#include "solis/nn/transformer/layer.h"

namespace solis::nn {

class TransformerInput {
  public:
    explicit TransformerInput(const TransformerShape& shape);

    // tokens: samples x shape.tokens. `first_layer` (null: not wanted) makes the queries, keys and
    // values.
    void forward(const TransformerWeights& weights, const PackedLayer* first_layer,
                 std::span<const std::uint8_t> tokens);
    // Of one sample; rows x dims and rows x 3 dims.
    void read(std::size_t sample, Panels x) const;
    void read_projected(std::size_t sample, Panels qkv) const;

    // The way back of the last forward: gradients of what the samples have read, then all at once.
    void start_backward();
    void add_gradient(std::size_t sample, ConstPanels d_x);
    void add_projected_gradient(std::size_t sample, ConstPanels d_qkv);
    void backward(const PackedLayer* first_layer, TransformerGradients& gradients);

  private:
    struct Pair {
        std::size_t row;
        std::uint8_t token;
    };
    void find_pairs(std::span<const std::uint8_t> tokens);
    [[nodiscard]] std::span<const std::uint32_t> pairs_of(std::size_t sample) const {
        return std::span(pair_of_row_).subspan(sample * rows_, rows_);
    }
    [[nodiscard]] Panels narrow(AlignedVector<float>& data) const {
        return {data.data(), pairs_.size(), dims_};
    }
    [[nodiscard]] Panels wide(AlignedVector<float>& data) const {
        return {data.data(), pairs_.size(), 3 * dims_};
    }

    std::size_t rows_, dims_, vocabulary_;
    std::vector<Pair> pairs_;                 // in the order of their first use
    std::vector<std::uint32_t> pair_of_row_;  // [samples][rows]
    std::vector<std::uint32_t> numbers_;      // [rows][vocabulary]: of pairs, while they are found
    AlignedVector<float> x_, d_x_;            // pairs x dims
    AlignedVector<float> qkv_, d_qkv_;        // pairs x 3 dims
    LinearScratch scratch_;
};

}  // namespace solis::nn
