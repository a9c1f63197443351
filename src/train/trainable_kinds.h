// The encoders that make_trainable chooses from.
#pragma once
#include "train/trainable.h"

namespace solis::train {

[[nodiscard]] Result<std::unique_ptr<TrainableEncoder>> make_swift_trainable(
    const TrainConfig& config, Rng& rng);
[[nodiscard]] std::unique_ptr<TrainableEncoder> make_swift_trainable(
    const model::SwiftEncoder& encoder);

[[nodiscard]] Result<std::unique_ptr<TrainableEncoder>> make_transformer_trainable(
    const TrainConfig& config, Rng& rng);
[[nodiscard]] std::unique_ptr<TrainableEncoder> make_transformer_trainable(
    const model::TransformerEncoder& encoder);

}  // namespace solis::train
