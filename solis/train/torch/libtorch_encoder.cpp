// The transformer in LibTorch: the same tensors, the same formulas, gradients by autograd.
#include <cmath>
#include <exception>
#include <vector>

#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <fmt/format.h>

#include "solis/train/torch_encoder.h"

namespace solis::train {
namespace {

using at::Tensor;
using nn::LayerPart;

// Exceptions end here. LibTorch's texts go on with a trace, which helps no user.
template <class Work>
Result<void> guarded(const char* what, Work&& work) {
    try {
        work();
        return {};
    } catch (const c10::Error& error) {
        return fail(fmt::format("LibTorch, {}: {}", what, error.what_without_backtrace()),
                    "if memory ran out, choose a smaller batch");
    } catch (const std::exception& error) {
        return fail(fmt::format("LibTorch, {}: {}", what, error.what()));
    }
}

class LibTorchEncoder final : public TorchEncoder {
  public:
    LibTorchEncoder(const nn::TransformerShape& shape, const nn::TransformerWeights& weights,
                    const TorchDevice& device)
        : shape_(shape), device_(device.name) {
        if (device.threads > 0) at::set_num_threads(device.threads);
        for (const nn::Tensor& tensor : weights.all) {
            const std::vector<std::int64_t> sizes(tensor.shape.begin(), tensor.shape.end());
            parameters_.push_back(
                at::zeros(sizes, at::TensorOptions(device_)).requires_grad_(true));
        }
    }

    Result<void> set_weights(const nn::TransformerWeights& weights) override {
        return guarded("copying weights", [&] {
            const at::NoGradGuard no_gradients;
            for (std::size_t i = 0; i < parameters_.size(); ++i) {
                const std::vector<float>& values = weights.all[i].values;
                parameters_[i].copy_(borrowed(values.data(), parameters_[i].sizes()));
            }
        });
    }

    Result<void> forward(std::span<const std::uint8_t> tokens, double dropout, std::uint64_t seed,
                         std::span<float> z) override {
        return guarded("forward pass", [&] {
            at::manual_seed(seed);
            z_ = encode(tokens, dropout);
            copy_out(z_, z);
        });
    }

    Result<void> backward(std::span<const float> d_z, nn::TransformerWeights& gradients) override {
        return guarded("backward pass", [&] {
            for (Tensor& parameter : parameters_) parameter.mutable_grad() = Tensor();
            z_.backward(borrowed(d_z.data(), z_.sizes()).to(device_));
            z_ = Tensor();
            for (std::size_t i = 0; i < parameters_.size(); ++i) {
                copy_out(parameters_[i].grad(), gradients.all[i].values);
            }
        });
    }

    Result<void> embed(std::span<const std::uint8_t> tokens, std::span<float> z) override {
        return guarded("embedding", [&] {
            const at::NoGradGuard no_gradients;
            copy_out(encode(tokens, 0), z);
        });
    }

  private:
    // Memory of the caller as a tensor, for as long as one statement.
    static Tensor borrowed(const float* values, at::IntArrayRef sizes) {
        return at::from_blob(const_cast<float*>(values), sizes, at::TensorOptions(at::kFloat));
    }
    static void copy_out(const Tensor& from, std::span<float> to) {
        const at::NoGradGuard no_gradients;
        at::from_blob(to.data(), from.sizes(), at::TensorOptions(at::kFloat)).copy_(from);
    }
    [[nodiscard]] const Tensor& part(std::size_t layer, LayerPart which) const {
        return parameters_[nn::part_index(layer, which)];
    }

    // [samples][rows][dims] to [samples][heads][rows][dims of a head].
    [[nodiscard]] Tensor by_head(const Tensor& x) const {
        return x.view({x.size(0), x.size(1), shape_.heads, -1}).transpose(1, 2);
    }

    // What `asking` rows find in all rows of x: [samples][asking rows][dims].
    [[nodiscard]] Tensor attend(std::size_t layer, const Tensor& asking, const Tensor& x,
                                double dropout) const {
        const std::int64_t dims = shape_.dims;
        const Tensor& weight = part(layer, LayerPart::InWeight);
        const Tensor& bias = part(layer, LayerPart::InBias);
        const auto project = [&](const Tensor& rows, std::int64_t which) {
            return by_head(at::linear(rows, weight.narrow(0, which * dims, dims),
                                      bias.narrow(0, which * dims, dims)));
        };
        const Tensor queries =
            project(asking, 0) / std::sqrt(static_cast<double>(dims) / shape_.heads);
        const Tensor p = at::softmax(at::matmul(queries, project(x, 1).transpose(-2, -1)), -1);
        const Tensor found = at::matmul(at::dropout(p, dropout, true), project(x, 2));
        return at::linear(found.transpose(1, 2).reshape({asking.size(0), asking.size(1), dims}),
                          part(layer, LayerPart::OutWeight), part(layer, LayerPart::OutBias));
    }

    // Only the CLS row of the last layer is ever looked at.
    [[nodiscard]] Tensor run_layer(std::size_t layer, const Tensor& x, double dropout) const {
        const bool is_last = layer + 1 == static_cast<std::size_t>(shape_.layers);
        const Tensor rows = is_last ? x.narrow(1, 0, 1) : x;
        const auto norm = [&](const Tensor& sum, LayerPart weight, LayerPart bias) {
            return at::layer_norm(sum, {shape_.dims}, part(layer, weight), part(layer, bias), 1e-5);
        };
        const Tensor middle =
            norm(rows + at::dropout(attend(layer, rows, x, dropout), dropout, true),
                 LayerPart::Norm1Weight, LayerPart::Norm1Bias);
        const Tensor inner = at::gelu(
            at::linear(middle, part(layer, LayerPart::UpWeight), part(layer, LayerPart::UpBias)));
        const Tensor down =
            at::linear(at::dropout(inner, dropout, true), part(layer, LayerPart::DownWeight),
                       part(layer, LayerPart::DownBias));
        return norm(middle + at::dropout(down, dropout, true), LayerPart::Norm2Weight,
                    LayerPart::Norm2Bias);
    }

    [[nodiscard]] Tensor encode(std::span<const std::uint8_t> tokens, double dropout) const {
        const auto samples = static_cast<std::int64_t>(tokens.size()) / shape_.tokens;
        const Tensor words = at::from_blob(const_cast<std::uint8_t*>(tokens.data()),
                                           {samples, shape_.tokens}, at::TensorOptions(at::kByte))
                                 .to(device_, at::kLong);
        const Tensor cls =
            parameters_[nn::kClsToken].reshape({1, 1, shape_.dims}).expand({samples, 1, -1});
        Tensor x = at::cat({cls, at::embedding(parameters_[nn::kEmbedding], words)}, 1) +
                   parameters_[nn::kPositions].reshape({1, -1, shape_.dims});
        for (std::size_t l = 0; l < static_cast<std::size_t>(shape_.layers); ++l) {
            x = run_layer(l, x, dropout);
        }
        const Tensor z =
            at::linear(x.select(1, 0), parameters_[parameters_.size() - 2], parameters_.back());
        return z / z.norm(2, -1, true).clamp_min(1e-12);
    }

    nn::TransformerShape shape_;
    at::Device device_;
    std::vector<Tensor> parameters_;  // in the order of nn::TransformerWeights
    Tensor z_;                        // of the last forward, with its history
};

}  // namespace
}  // namespace solis::train

extern "C" void solis_make_torch_encoder(const solis::nn::TransformerShape& shape,
                                         const solis::nn::TransformerWeights& weights,
                                         const solis::train::TorchDevice& device,
                                         solis::Result<solis::train::TorchEncoder*>& made) {
    const auto ok = solis::train::guarded("opening the device", [&] {
        made = new solis::train::LibTorchEncoder(shape, weights, device);
    });
    if (!ok) made = tl::unexpected(ok.error());
}
