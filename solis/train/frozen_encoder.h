// Encoders that are measured and not trained: those that are not ours.
#pragma once
#include <memory>

#include "solis/model/custom_encoder.h"
#include "solis/train/trainable.h"

namespace solis::train {

// For validate_encoder, which gives it axis and calibration: it has no parameters. take_status()
// tells why it failed, where it did.
[[nodiscard]] std::unique_ptr<TrainableEncoder> make_frozen(
    std::shared_ptr<model::CustomEncoder> encoder, std::string name);

}  // namespace solis::train
