// Models and evaluators that stand around another one: everything is passed on that a wrapper does
// not override.
#pragma once
#include <utility>

#include "solis/model/evaluator.h"

namespace solis::model {

class EvaluatorDecorator : public Evaluator {
  public:
    using Evaluator::embed;
    using Evaluator::score;

    void score_children(const chess::Position& parent, std::span<const chess::Position> children,
                        std::span<float> scores) override {
        inner_->score_children(parent, children, scores);
    }
    void score(std::span<const chess::Position> positions, std::span<float> scores) override {
        inner_->score(positions, scores);
    }
    void embed(std::span<const chess::Position> positions, std::span<float> z) override {
        inner_->embed(positions, z);
    }
    void use_threads(std::size_t threads) override { inner_->use_threads(threads); }

  protected:
    explicit EvaluatorDecorator(std::unique_ptr<Evaluator> inner) : inner_(std::move(inner)) {}

  private:
    std::unique_ptr<Evaluator> inner_;
};

// Scores mean what they mean to the inner model.
class ModelDecorator : public LoadedModel {
  public:
    [[nodiscard]] std::unique_ptr<Evaluator> make_evaluator() const override {
        return inner_->make_evaluator();
    }
    [[nodiscard]] EncoderTraits traits() const override { return inner_->traits(); }
    [[nodiscard]] bool embeds() const override { return inner_->embeds(); }
    [[nodiscard]] bool has_failed() const override { return inner_->has_failed(); }
    [[nodiscard]] Result<void> status() const override { return inner_->status(); }

  protected:
    explicit ModelDecorator(std::shared_ptr<const LoadedModel> inner)
        : LoadedModel(*inner), inner_(std::move(inner)) {}

  private:
    std::shared_ptr<const LoadedModel> inner_;
};

}  // namespace solis::model
