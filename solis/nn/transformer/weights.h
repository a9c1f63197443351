// Sizes and parameters of the transformer encoder:
//
//   tokens -> embedding + CLS in front + learned positions -> layers as PyTorch's
//   nn.TransformerEncoderLayer in its default order -> CLS row -> linear -> unit vector
#pragma once
#include <cstdint>
#include <vector>

#include "solis/base/result.h"
#include "solis/base/rng.h"
#include "solis/nn/optimizer.h"
#include "solis/nn/tensor.h"

namespace solis::nn {

struct TransformerShape {
    int vocabulary = 77;  // rows of the embedding table
    int tokens = 77;      // per sample; CLS comes in front of them
    int dims = 128;
    int heads = 8;
    int mlp = 256;
    int layers = 6;

    [[nodiscard]] std::size_t rows() const { return static_cast<std::size_t>(tokens) + 1; }
    [[nodiscard]] std::size_t head_dims() const { return static_cast<std::size_t>(dims / heads); }
    // Refuses sizes that make no network or that the kernels do not take.
    [[nodiscard]] Result<void> validate() const;
    friend bool operator==(const TransformerShape&, const TransformerShape&) = default;
};

// The paper's two: "mini" (831,360 parameters) and "base" (39,019,520).
[[nodiscard]] Result<TransformerShape> transformer_preset(std::string_view name);

// Parameters of one layer, in the order of the tensors.
enum class LayerPart : std::size_t {
    InWeight,  // [3 dims][dims]: queries, keys, values
    InBias,
    OutWeight,  // [dims][dims]
    OutBias,
    UpWeight,  // [mlp][dims]
    UpBias,
    DownWeight,  // [dims][mlp]
    DownBias,
    Norm1Weight,
    Norm1Bias,
    Norm2Weight,
    Norm2Bias
};

// Indices into the list of tensors.
inline constexpr std::size_t kEmbedding = 0, kPositions = 1, kClsToken = 2, kLayerParts = 12;
[[nodiscard]] constexpr std::size_t part_index(std::size_t layer, LayerPart part) {
    return 3 + layer * kLayerParts + static_cast<std::size_t>(part);
}

// Names and shapes are those of PyTorch's state_dict.
struct TransformerWeights {
    std::vector<Tensor> all;

    TransformerWeights() = default;
    explicit TransformerWeights(const TransformerShape& shape);
    [[nodiscard]] static std::vector<TensorSpec> specs(const TransformerShape& shape);
    // As PyTorch starts: norms 1 and 0, the rest uniform or normal around 0.
    void randomize(Rng& rng);

    [[nodiscard]] const Tensor& part(std::size_t layer, LayerPart which) const {
        return all[part_index(layer, which)];
    }
    [[nodiscard]] const Tensor& projection_weight() const { return all[all.size() - 2]; }
    [[nodiscard]] const Tensor& projection_bias() const { return all.back(); }
    [[nodiscard]] std::vector<Tensor*> tensors();
};

// The matrices inside layers, by their places in the list of tensors; queries, keys and values are
// three in one.
[[nodiscard]] std::vector<LinearMap> linear_maps(const TransformerShape& shape);

[[nodiscard]] std::size_t parameter_count(const TransformerShape& shape);
// Multiplications and additions of one forward pass over all rows, as the definition has them.
[[nodiscard]] double forward_operations(const TransformerShape& shape);

}  // namespace solis::nn
