// The seam between the training loop and the encoders.
#pragma once
#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "base/result.h"
#include "base/rng.h"
#include "base/thread_pool.h"
#include "chess/position.h"
#include "model/model_file.h"
#include "nn/tensor.h"
#include "train/config.h"

namespace solis::train {

// An encoder that can be trained. Embeddings are those the side to move sees: rows of length 1.
class TrainableEncoder {
  public:
    virtual ~TrainableEncoder() = default;

    [[nodiscard]] virtual std::size_t dims() const = 0;
    // Both in the same order; pointers stay valid.
    [[nodiscard]] virtual std::vector<nn::Tensor*> parameters() = 0;
    [[nodiscard]] virtual std::vector<nn::Tensor*> gradients() = 0;
    // z: positions.size() x dims.
    virtual void forward(std::span<const chess::Position> positions, ThreadPool& pool,
                         std::span<float> z) = 0;
    // Sets the gradients, given those of the z that the last forward wrote.
    virtual void backward(std::span<const float> d_z, ThreadPool& pool) = 0;
    // The current weights as a model without axis and calibration.
    [[nodiscard]] virtual model::ModelFile to_model() const = 0;
};

// The encoder that a valid config describes, with random weights.
[[nodiscard]] Result<std::unique_ptr<TrainableEncoder>> make_trainable(const TrainConfig& config,
                                                                       Rng& rng);

}  // namespace solis::train
