// Choosing the encoder.
#include "solis/train/trainable.h"

#include "solis/train/trainable_kinds.h"

namespace solis::train {

Result<std::unique_ptr<TrainableEncoder>> make_trainable(const TrainConfig& config, Rng& rng) {
    return config.encoder.kind == EncoderKind::Transformer ? make_transformer_trainable(config, rng)
                                                           : make_swift_trainable(config, rng);
}

std::unique_ptr<TrainableEncoder> make_trainable(const model::ModelFile& model) {
    if (const auto* transformer = model.transformer()) {
        return make_transformer_trainable(*transformer);
    }
    return make_swift_trainable(*model.swift());
}

}  // namespace solis::train
