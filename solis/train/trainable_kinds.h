// The encoders that make_trainable chooses from.
#pragma once
#include "solis/train/trainable.h"

namespace solis::train {

[[nodiscard]] Result<std::unique_ptr<TrainableEncoder>> make_swift_trainable(
    const TrainConfig& config, Rng& rng);
[[nodiscard]] std::unique_ptr<TrainableEncoder> make_swift_trainable(
    const model::SwiftEncoder& encoder);

[[nodiscard]] Result<std::unique_ptr<TrainableEncoder>> make_transformer_trainable(
    const TrainConfig& config, Rng& rng);
[[nodiscard]] std::unique_ptr<TrainableEncoder> make_transformer_trainable(
    const model::TransformerEncoder& encoder);
// The transformer on a device of LibTorch. Fails where that was not built in.
[[nodiscard]] Result<std::unique_ptr<TrainableEncoder>> make_torch_trainable(
    const TrainConfig& config, model::TransformerEncoder start);

// What both transformers share: what a step's dropout is drawn from, and their inputs one after
// the other.
[[nodiscard]] std::uint64_t dropout_seed(std::uint64_t seed, std::uint64_t step);
void tokenize_all(std::span<const chess::Position> positions, data::Tokenizer tokenizer,
                  std::vector<std::uint8_t>& tokens);

}  // namespace solis::train
