// An encoder that is not ours behind the same seam: whatever turns positions into vectors can be
// planned with, rated and mapped.
#pragma once
#include <memory>
#include <span>

#include "solis/base/result.h"
#include "solis/model/evaluator.h"

namespace solis::model {

// What a program derives from to bring an encoder of its own.
class CustomEncoder {
  public:
    virtual ~CustomEncoder() = default;

    // Length of the vectors, always the same.
    [[nodiscard]] virtual std::size_t dims() const = 0;
    // Planners score no more than positions_per_look positions between two looks at the clock.
    [[nodiscard]] virtual EncoderTraits traits() const { return {true, 256}; }
    // z: positions x dims, in White's view: a position and the same one with colours swapped are
    // different. The vectors may have any length but 0. Never called by two threads at once.
    [[nodiscard]] virtual Result<void> embed(std::span<const chess::Position> positions,
                                             std::span<float> z) = 0;
};

// Refuses rows with values that are not finite and rows of length 0, and scales the others to
// length 1. z: rows x dims. The error names the row.
[[nodiscard]] Result<void> normalise_rows(std::span<float> z, std::size_t dims);

// embed() and normalise_rows().
[[nodiscard]] Result<void> embed_with(CustomEncoder& encoder,
                                      std::span<const chess::Position> positions,
                                      std::span<float> z);

// A model of the encoder, with the axis and calibration that `solis axis` or
// train::validate_encoder fitted to it. Fails where their dimensions differ. Where the encoder
// fails, the model has failed (LoadedModel::status) and its evaluators give zeros from then on.
[[nodiscard]] Result<std::shared_ptr<const LoadedModel>> make_model(
    std::shared_ptr<CustomEncoder> encoder, AdvantageAxis axis, Calibration calibration);

}  // namespace solis::model
