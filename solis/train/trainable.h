// The seam between the training loop and the encoders.
#pragma once
#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "solis/base/result.h"
#include "solis/base/rng.h"
#include "solis/base/thread_pool.h"
#include "solis/chess/position.h"
#include "solis/model/model_file.h"
#include "solis/nn/optimizer.h"
#include "solis/nn/tensor.h"
#include "solis/train/config.h"
#include "solis/train/view.h"

namespace solis::train {

// An encoder that can be trained. Embeddings are rows of length 1.
class TrainableEncoder {
  public:
    virtual ~TrainableEncoder() = default;

    // Whose win probabilities its labels are, and whether its axis and calibration are symmetric.
    [[nodiscard]] virtual View view() const = 0;
    [[nodiscard]] virtual std::size_t dims() const = 0;
    // Both in the same order; pointers stay valid.
    [[nodiscard]] virtual std::vector<nn::Tensor*> parameters() = 0;
    [[nodiscard]] virtual std::vector<nn::Tensor*> gradients() = 0;
    // Takes the function of a smaller model of its kind, with room to learn more, or what fits of
    // one with more dimensions; false where it can do neither.
    virtual bool resize_from(const model::ModelFile& /*model*/) { return false; }
    // How many of them, at the end, are for training only and not in the model.
    [[nodiscard]] virtual std::size_t helper_parameters() const { return 0; }
    // Which of the parameters map activations to activations; an optimiser may treat them as such.
    [[nodiscard]] virtual std::vector<nn::LinearMap> linear_maps() const { return {}; }
    // Comes before the forward pass of each step of a run, for what is random in it. The positions
    // that follow begin at `first_row` of the step's batch of `rows`.
    virtual void start_step(std::uint64_t /*step*/, std::size_t /*first_row*/,
                            std::size_t /*rows*/) {}
    // z: positions.size() x dims. Keeps what backward needs.
    virtual void forward(std::span<const chess::Position> positions, ThreadPool& pool,
                         std::span<float> z) = 0;
    // Sets the gradients, given those of the z that the last forward wrote.
    virtual void backward(std::span<const float> d_z, ThreadPool& pool) = 0;
    // What the last backward added to the loss by itself, in this process.
    [[nodiscard]] virtual double auxiliary_loss() const { return 0; }
    // The same embeddings without anything random and without keeping anything.
    virtual void embed(std::span<const chess::Position> positions, ThreadPool& pool,
                       std::span<float> z) {
        forward(positions, pool, z);
    }
    // Whether all passes since the last call did their work; what they wrote means nothing
    // otherwise.
    [[nodiscard]] virtual Result<void> take_status() { return {}; }
    // The current weights as a model without axis and calibration.
    [[nodiscard]] virtual model::ModelFile to_model() const = 0;
};

// The encoder that a valid config describes, with random weights.
[[nodiscard]] Result<std::unique_ptr<TrainableEncoder>> make_trainable(const TrainConfig& config,
                                                                       Rng& rng);
// The encoder of a model, with its weights; it must not be a process.
[[nodiscard]] std::unique_ptr<TrainableEncoder> make_trainable(const model::ModelFile& model);

}  // namespace solis::train
