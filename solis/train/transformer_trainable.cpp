// The transformer encoder behind the training seam.
#include <algorithm>

#include <fmt/format.h>

#include "solis/data/inputs/tokenizer.h"
#include "solis/nn/transformer/net.h"
#include "solis/train/auxiliary_targets.h"
#include "solis/train/trainable_kinds.h"

namespace solis::train {
namespace {

using chess::Position;

class TransformerTrainable final : public TrainableEncoder {
  public:
    TransformerTrainable(const nn::TransformerShape& shape, data::Tokenizer tokenizer,
                         nn::Dropout dropout, nn::Precision precision)
        : tokenizer_(tokenizer),
          seed_(dropout.seed),
          dropout_(dropout),
          net_(shape, precision),
          auxiliary_loss_(shape) {}

    [[nodiscard]] nn::TransformerWeights& weights() { return net_.weights(); }

    View view() const override { return View::White; }
    std::size_t dims() const override { return static_cast<std::size_t>(net_.shape().dims); }
    std::vector<nn::Tensor*> parameters() override {
        return with_auxiliary(net_.weights().tensors(), auxiliary_loss_.parameters());
    }
    std::vector<nn::Tensor*> gradients() override {
        return with_auxiliary(net_.gradients().tensors(), auxiliary_loss_.gradients());
    }
    std::vector<nn::LinearMap> linear_maps() const override {
        return nn::linear_maps(net_.shape());
    }
    std::size_t helper_parameters() const override { return auxiliary_targets_ != nullptr ? 2 : 0; }
    double auxiliary_loss() const override { return auxiliary_loss_.loss(); }
    void use(std::unique_ptr<AuxiliaryTargets> targets) { auxiliary_targets_ = std::move(targets); }

    // Each step drops other elements, and a resumed run the same ones again.
    void start_step(std::uint64_t step, std::size_t first_row, std::size_t rows) override {
        batch_rows_ = rows;
        dropout_.first_sample = first_row;
        dropout_.seed = dropout_seed(seed_, step);
    }
    void forward(std::span<const Position> positions, ThreadPool& pool,
                 std::span<float> z) override {
        tokenize_all(positions, tokenizer_, tokens_);
        net_.forward(tokens_, dropout_, pool, z);
        if (auxiliary_targets_ == nullptr) return;
        auxiliary_loss_.set_targets(auxiliary_targets_->tasks(batch_rows_),
                                    auxiliary_targets_->targets(positions));
    }
    void backward(std::span<const float> d_z, ThreadPool& pool) override {
        net_.backward(d_z, pool, auxiliary_targets_ != nullptr ? &auxiliary_loss_ : nullptr);
    }
    void embed(std::span<const Position> positions, ThreadPool& pool, std::span<float> z) override {
        tokenize_all(positions, tokenizer_, tokens_);
        net_.embed(tokens_, pool, z);
    }

    model::ModelFile to_model() const override {
        model::TransformerEncoder encoder(tokenizer_, net_.shape());
        encoder.weights = net_.weights();
        return model::ModelFile(std::move(encoder));
    }

  private:
    [[nodiscard]] std::vector<nn::Tensor*> with_auxiliary(std::vector<nn::Tensor*> own,
                                                          const std::vector<nn::Tensor*>& added) {
        if (auxiliary_targets_ != nullptr) own.insert(own.end(), added.begin(), added.end());
        return own;
    }

    data::Tokenizer tokenizer_;
    std::uint64_t seed_;
    nn::Dropout dropout_;
    nn::TransformerNet net_;
    nn::AuxiliaryLoss auxiliary_loss_;
    std::unique_ptr<AuxiliaryTargets> auxiliary_targets_;  // null: none
    std::size_t batch_rows_ = 0;
    std::vector<std::uint8_t> tokens_;
};

}  // namespace

std::uint64_t dropout_seed(std::uint64_t seed, std::uint64_t step) {
    return Rng(Seed{seed * 0x9E3779B97F4A7C15u + step}).next();
}

void tokenize_all(std::span<const Position> positions, data::Tokenizer tokenizer,
                  std::vector<std::uint8_t>& tokens) {
    tokens.clear();
    for (const Position& position : positions) {
        const data::Tokens own = data::tokenize(position, tokenizer);
        tokens.insert(tokens.end(), own.begin(), own.end());
    }
}

Result<std::unique_ptr<TrainableEncoder>> make_transformer_trainable(const TrainConfig& config,
                                                                     Rng& rng) {
    nn::TransformerShape shape;
    shape.tokens = data::kTokenCount;
    shape.dims = static_cast<int>(config.encoder.dims);
    shape.heads = static_cast<int>(config.encoder.heads);
    shape.mlp = static_cast<int>(config.encoder.mlp);
    shape.layers = static_cast<int>(config.encoder.layers);
    if (auto ok = shape.validate(); !ok) return tl::unexpected(ok.error());
    model::TransformerEncoder start(config.encoder.tokenizer, shape);
    start.weights.randomize(rng);
    if (config.run.backend == Backend::Torch) return make_torch_trainable(config, std::move(start));
    const nn::Dropout dropout{static_cast<float>(config.encoder.dropout),
                              static_cast<std::uint64_t>(config.run.seed)};
    const auto precision = config.run.precision == PrecisionChoice::BFloat16
                               ? nn::Precision::BFloat16
                               : nn::Precision::Float;
    auto encoder =
        std::make_unique<TransformerTrainable>(shape, config.encoder.tokenizer, dropout, precision);
    encoder->weights().all = std::move(start.weights.all);
    if (config.auxiliary.weight > 0) {
        auto targets = AuxiliaryTargets::open(config);
        if (!targets) return tl::unexpected(targets.error());
        encoder->use(std::move(*targets));
    }
    return encoder;
}

std::unique_ptr<TrainableEncoder> make_transformer_trainable(
    const model::TransformerEncoder& encoder) {
    auto trainable = std::make_unique<TransformerTrainable>(encoder.shape, encoder.tokenizer,
                                                            nn::Dropout{}, nn::Precision::Float);
    trainable->weights().all = encoder.weights.all;
    return trainable;
}

}  // namespace solis::train
