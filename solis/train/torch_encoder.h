// What the trainer knows of LibTorch: a module (train/torch) implements this, and nothing else
// includes LibTorch.
#pragma once
#include <cstdint>
#include <span>
#include <string>

#include "solis/base/result.h"
#include "solis/nn/tensor.h"
#include "solis/nn/transformer/weights.h"

namespace solis::train {

// A transformer on a device of LibTorch. Tokens: samples x shape.tokens; z: samples x shape.dims.
class TorchEncoder {
  public:
    virtual ~TorchEncoder() = default;

    // Takes a copy of the weights, in the order of nn::TransformerWeights.
    [[nodiscard]] virtual Result<void> set_weights(const nn::TransformerWeights& weights) = 0;
    // Keeps what backward needs. Dropout is LibTorch's, drawn from `seed`.
    [[nodiscard]] virtual Result<void> forward(std::span<const std::uint8_t> tokens, double dropout,
                                               std::uint64_t seed, std::span<float> z) = 0;
    // Sets the gradients, given those of the z that the last forward wrote.
    [[nodiscard]] virtual Result<void> backward(std::span<const float> d_z,
                                                nn::TransformerWeights& gradients) = 0;
    // Without dropout, and without keeping anything.
    [[nodiscard]] virtual Result<void> embed(std::span<const std::uint8_t> tokens,
                                             std::span<float> z) = 0;
};

struct TorchDevice {
    std::string name = "cpu";  // as LibTorch calls it: cpu, cuda, cuda:1
    int threads = 0;           // of the device cpu; 0 leaves the choice to LibTorch
};

// The module's one function, by the name "solis_make_torch_encoder": an encoder with tensors of the
// sizes of `weights`, or why there is none.
using MakeTorchEncoder = void (*)(const nn::TransformerShape& shape,
                                  const nn::TransformerWeights& weights, const TorchDevice& device,
                                  Result<TorchEncoder*>& made);

}  // namespace solis::train
