// A transformer of LibTorch behind the training seam. Weights, gradients and optimiser stay here:
// runs, checkpoints and models are the same for both backends.
#include <algorithm>

#include <fmt/format.h>

#include "solis/base/module.h"
#include "solis/data/inputs/tokenizer.h"
#include "solis/train/torch_encoder.h"
#include "solis/train/trainable_kinds.h"

namespace solis::train {
namespace {

using chess::Position;

// Positions embedded at once where there is no batch that sets the number.
constexpr std::size_t kEmbeddedAtOnce = 256;

class TorchTrainable final : public TrainableEncoder {
  public:
    TorchTrainable(model::TransformerEncoder start, double dropout, std::uint64_t seed,
                   std::unique_ptr<TorchEncoder> torch)
        : current_(std::move(start)),
          gradients_(current_.shape),
          dropout_(dropout),
          seed_(seed),
          torch_(std::move(torch)) {}

    View view() const override { return View::White; }
    std::size_t dims() const override { return static_cast<std::size_t>(current_.shape.dims); }
    std::vector<nn::Tensor*> parameters() override { return current_.weights.tensors(); }
    std::vector<nn::Tensor*> gradients() override { return gradients_.tensors(); }
    std::vector<nn::LinearMap> linear_maps() const override {
        return nn::linear_maps(current_.shape);
    }

    // Each step, and each process's part of it, drops other elements; a resumed run the same again.
    void start_step(std::uint64_t step, std::size_t first_row, std::size_t) override {
        step_seed_ = dropout_seed(dropout_seed(seed_, step), first_row);
    }
    void forward(std::span<const Position> positions, ThreadPool& /*pool*/,
                 std::span<float> z) override {
        tokenize_all(positions, current_.tokenizer, tokens_);
        note(torch_->set_weights(current_.weights));
        note(torch_->forward(tokens_, dropout_, step_seed_, z));
    }
    void backward(std::span<const float> d_z, ThreadPool& /*pool*/) override {
        note(torch_->backward(d_z, gradients_));
    }
    void embed(std::span<const Position> positions, ThreadPool& /*pool*/,
               std::span<float> z) override {
        note(torch_->set_weights(current_.weights));
        for (std::size_t at = 0; at < positions.size(); at += kEmbeddedAtOnce) {
            const std::size_t count = std::min(kEmbeddedAtOnce, positions.size() - at);
            tokenize_all(positions.subspan(at, count), current_.tokenizer, tokens_);
            note(torch_->embed(tokens_, z.subspan(at * dims(), count * dims())));
        }
    }
    Result<void> take_status() override { return std::exchange(status_, {}); }

    model::ModelFile to_model() const override { return model::ModelFile(current_); }

  private:
    // The first failure is the one that tells.
    void note(Result<void> outcome) {
        if (status_) status_ = std::move(outcome);
    }

    model::TransformerEncoder current_;
    nn::TransformerWeights gradients_;
    double dropout_;
    std::uint64_t seed_, step_seed_ = 0;
    std::unique_ptr<TorchEncoder> torch_;
    std::vector<std::uint8_t> tokens_;
    Result<void> status_;
};

}  // namespace

Result<std::unique_ptr<TrainableEncoder>> make_torch_trainable(const TrainConfig& config,
                                                               model::TransformerEncoder start) {
    const auto function = load_function("solis-torch", "solis_make_torch_encoder");
    if (!function) {
        return fail(fmt::format("backend = \"torch\": LibTorch cannot be loaded: {}",
                                function.error().message),
                    "build it in: install libtorch-dev, then cmake --preset release "
                    "-DSOLIS_LIBTORCH=ON && make build");
    }
    Result<TorchEncoder*> made = nullptr;
    reinterpret_cast<MakeTorchEncoder> (*function)(
        start.shape, start.weights, {config.run.device, static_cast<int>(config.run.threads)},
        made);
    if (!made) return fail_in(fmt::format("device = \"{}\"", config.run.device), made.error());
    return std::make_unique<TorchTrainable>(std::move(start), config.encoder.dropout,
                                            static_cast<std::uint64_t>(config.run.seed),
                                            std::unique_ptr<TorchEncoder>(*made));
}

}  // namespace solis::train
