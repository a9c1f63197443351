// Models for tests of plans: scores that are random but the same for the same position.
#pragma once
#include <cmath>
#include <memory>

#include "solis/chess/position.h"
#include "solis/model/evaluator.h"

namespace solis::planner {

// An axis of two dimensions and a straight calibration whose draw score is `draw`.
inline model::ModelFile scoring_file(float draw) {
    model::ModelFile file(model::SwiftEncoder(data::SwiftFeatureSet::Threats, nn::SwiftShape{}));
    file.axis = *model::axis_from_means({0.6f, 0.2f}, {-0.5f, 0.1f});
    file.calibration = *model::Calibration::from_knots({-1.0f, draw, 1.0f}, {0.0f, 0.5f, 1.0f});
    return file;
}

// A score in (-1, 1) from the bits of a key.
inline float random_score(std::uint64_t key, std::uint64_t seed) {
    std::uint64_t x = key ^ seed;
    x = (x ^ (x >> 31)) * 0x7fb5d329728ea185;
    x = (x ^ (x >> 27)) * 0x81dadef4bc2dd44d;
    return static_cast<float>(static_cast<double>(x >> 11) / 4503599627370496.0 - 1.0);
}

// White's view: a function of the position's key and the seed, and nothing else.
class RandomEvaluator final : public model::Evaluator {
  public:
    explicit RandomEvaluator(std::uint64_t seed) : seed_(seed) {}

    void score_children(const chess::Position&, std::span<const chess::Position> children,
                        std::span<float> scores) override {
        for (std::size_t i = 0; i < children.size(); ++i) scores[i] = score(children[i]);
    }
    float score(const chess::Position& position) override {
        return random_score(position.key(), seed_);
    }
    void embed(const chess::Position& position, std::span<float> z) override {
        z[0] = score(position);
        z[1] = std::sqrt(1 - z[0] * z[0]);
    }

  private:
    std::uint64_t seed_;
};

class RandomModel final : public model::LoadedModel {
  public:
    explicit RandomModel(std::uint64_t seed, float draw = 0)
        : LoadedModel(scoring_file(draw)), seed_(seed) {}

    std::unique_ptr<model::Evaluator> make_evaluator() const override {
        return std::make_unique<RandomEvaluator>(seed_);
    }

  private:
    std::uint64_t seed_;
};

}  // namespace solis::planner
