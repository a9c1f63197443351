// Names, sizes and starting values of the transformer's parameters.
#include "solis/nn/transformer/weights.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "solis/nn/counts.h"
#include "solis/nn/kernels/panels.h"

namespace solis::nn {
namespace {

void fill_uniform(Tensor& tensor, double limit, Rng& rng) {
    for (float& value : tensor.values) {
        value = static_cast<float>(limit * (2 * rng.unit() - 1));
    }
}

void fill_normal(Tensor& tensor, double deviation, Rng& rng) {
    for (float& value : tensor.values) {
        // Box and Muller; 1 - unit() is never 0.
        const double length = std::sqrt(-2 * std::log(1 - rng.unit()));
        value =
            static_cast<float>(deviation * length * std::cos(2 * std::numbers::pi * rng.unit()));
    }
}

void fill(Tensor& tensor, float value) {
    std::fill(tensor.values.begin(), tensor.values.end(), value);
}

// PyTorch's nn.Linear: both uniform in +- 1 / sqrt(inputs).
void randomize_linear(Tensor& weight, Tensor& bias, Rng& rng) {
    const double limit = 1 / std::sqrt(static_cast<double>(weight.shape[1]));
    fill_uniform(weight, limit, rng);
    fill_uniform(bias, limit, rng);
}

}  // namespace

Result<void> TransformerShape::validate() const {
    const auto check = [](const char* name, int value, int low, int high) -> Result<void> {
        if (value >= low && value <= high) return {};
        return fail(fmt::format("transformer: {} is {}, expected {}..{}", name, value, low, high));
    };
    // A token is one byte.
    if (auto ok = check("vocabulary", vocabulary, 1, 256); !ok) return ok;
    if (auto ok = check("tokens", tokens, 1, 1024); !ok) return ok;
    if (auto ok = check("dims", dims, 16, 4096); !ok) return ok;
    if (auto ok = check("heads", heads, 1, 64); !ok) return ok;
    if (auto ok = check("mlp", mlp, 16, 16384); !ok) return ok;
    if (auto ok = check("layers", layers, 1, 64); !ok) return ok;
    const auto panel = static_cast<int>(kPanel);
    if (dims % (panel * heads) != 0) {
        return fail(
            fmt::format("transformer: {} dimensions in {} heads, expected a multiple of {} "
                        "in each",
                        dims, heads, panel));
    }
    if (mlp % panel == 0) return {};
    return fail(fmt::format("transformer: mlp is {}, expected a multiple of {}", mlp, panel));
}

Result<TransformerShape> transformer_preset(std::string_view name) {
    TransformerShape shape;
    if (name == "mini") return shape;
    if (name == "base") {
        shape.dims = 1024;
        shape.heads = 16;
        shape.mlp = 1024;
        return shape;
    }
    return fail(fmt::format("unknown transformer '{}'", name), "known are: mini, base");
}

std::vector<TensorSpec> TransformerWeights::specs(const TransformerShape& shape) {
    const std::size_t d = size(shape.dims), m = size(shape.mlp);
    std::vector<TensorSpec> specs{{"embedding.weight", {size(shape.vocabulary), d}},
                                  {"positional_encoding", {1, shape.rows(), d}},
                                  {"cls_token", {1, 1, d}}};
    for (int layer = 0; layer < shape.layers; ++layer) {
        const auto add = [&](const char* name, std::vector<std::size_t> sizes) {
            specs.push_back({fmt::format("transformer.layers.{}.{}", layer, name), sizes});
        };
        add("self_attn.in_proj_weight", {3 * d, d});
        add("self_attn.in_proj_bias", {3 * d});
        add("self_attn.out_proj.weight", {d, d});
        add("self_attn.out_proj.bias", {d});
        add("linear1.weight", {m, d});
        add("linear1.bias", {m});
        add("linear2.weight", {d, m});
        add("linear2.bias", {d});
        add("norm1.weight", {d});
        add("norm1.bias", {d});
        add("norm2.weight", {d});
        add("norm2.bias", {d});
    }
    specs.push_back({"projection.weight", {d, d}});
    specs.push_back({"projection.bias", {d}});
    return specs;
}

TransformerWeights::TransformerWeights(const TransformerShape& shape) {
    for (TensorSpec& spec : specs(shape)) all.emplace_back(std::move(spec));
}

void TransformerWeights::randomize(Rng& rng) {
    fill_normal(all[kEmbedding], 1, rng);
    fill_normal(all[kPositions], 0.02, rng);
    fill_normal(all[kClsToken], 0.02, rng);
    const std::size_t layers = (all.size() - 5) / kLayerParts;
    for (std::size_t layer = 0; layer < layers; ++layer) {
        const auto at = [&](LayerPart which) -> Tensor& { return all[part_index(layer, which)]; };
        Tensor& in = at(LayerPart::InWeight);
        // Xavier over the three matrices as one, as PyTorch does.
        fill_uniform(in, std::sqrt(6.0 / static_cast<double>(in.shape[0] + in.shape[1])), rng);
        fill(at(LayerPart::InBias), 0);
        randomize_linear(at(LayerPart::OutWeight), at(LayerPart::OutBias), rng);
        fill(at(LayerPart::OutBias), 0);
        randomize_linear(at(LayerPart::UpWeight), at(LayerPart::UpBias), rng);
        randomize_linear(at(LayerPart::DownWeight), at(LayerPart::DownBias), rng);
        for (const LayerPart norm : {LayerPart::Norm1Weight, LayerPart::Norm2Weight}) {
            fill(at(norm), 1);
        }
        for (const LayerPart norm : {LayerPart::Norm1Bias, LayerPart::Norm2Bias}) fill(at(norm), 0);
    }
    randomize_linear(all[all.size() - 2], all.back(), rng);
}

std::vector<Tensor*> TransformerWeights::tensors() {
    std::vector<Tensor*> pointers;
    for (Tensor& tensor : all) pointers.push_back(&tensor);
    return pointers;
}

std::vector<LinearMap> linear_maps(const TransformerShape& shape) {
    std::vector<LinearMap> maps;
    for (std::size_t layer = 0; layer < static_cast<std::size_t>(shape.layers); ++layer) {
        maps.push_back({part_index(layer, LayerPart::InWeight), 3});
        for (const LayerPart part :
             {LayerPart::OutWeight, LayerPart::UpWeight, LayerPart::DownWeight}) {
            maps.push_back({part_index(layer, part)});
        }
    }
    return maps;
}

std::size_t parameter_count(const TransformerShape& shape) {
    std::size_t count = 0;
    for (const TensorSpec& spec : TransformerWeights::specs(shape)) {
        count += element_count(spec.shape).value_or(0);
    }
    return count;
}

double forward_operations(const TransformerShape& shape) {
    const double rows = static_cast<double>(shape.rows()), d = shape.dims, m = shape.mlp;
    const double attention = 2 * 2 * rows * rows * d;
    return shape.layers * (2 * rows * d * (4 * d + 2 * m) + attention) + 2 * d * d;
}

}  // namespace solis::nn
