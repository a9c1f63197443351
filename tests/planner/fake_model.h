// Models for tests of plans: scores that are random but the same for the same position.
#pragma once
#include <cmath>
#include <memory>

#include "solis/chess/position.h"
#include "solis/model/evaluator.h"

namespace solis::planner {

// An axis of two dimensions and a curve of two straight lines whose draw score is `draw`, White's
// view.
inline model::Readout straight_readout(float draw) {
    return {*model::axis_from_means({0.6f, 0.2f}, {-0.5f, 0.1f}),
            *model::Calibration::from_knots({-1.0f, draw, 1.0f}, {0.0f, 0.5f, 1.0f}),
            model::View::White};
}

// A score in (-1, 1) from the bits of a key.
inline float random_score(std::uint64_t key, std::uint64_t seed) {
    std::uint64_t x = key ^ seed;
    x = (x ^ (x >> 31)) * 0x7fb5d329728ea185;
    x = (x ^ (x >> 27)) * 0x81dadef4bc2dd44d;
    return static_cast<float>(static_cast<double>(x >> 11) / 4503599627370496.0 - 1.0);
}

// An evaluator that is a function from a position to its score, White's view.
template <class ScoreOf>
class FunctionEvaluator final : public model::Evaluator {
  public:
    explicit FunctionEvaluator(ScoreOf score_of) : score_of_(std::move(score_of)) {}

    void score_children(const chess::Position&, std::span<const chess::Position> children,
                        std::span<float> scores) override {
        score(children, scores);
    }
    void score(std::span<const chess::Position> positions, std::span<float> scores) override {
        for (std::size_t i = 0; i < positions.size(); ++i) scores[i] = score_of_(positions[i]);
    }
    void embed(std::span<const chess::Position> positions, std::span<float> z) override {
        for (std::size_t i = 0; i < positions.size(); ++i) {
            const float along = score_of_(positions[i]);
            z[2 * i] = along;
            z[2 * i + 1] = std::sqrt(1 - along * along);
        }
    }

  private:
    ScoreOf score_of_;
};

// A model whose evaluators are a function.
template <class ScoreOf>
class FunctionModel : public model::LoadedModel {
  public:
    FunctionModel(ScoreOf score_of, model::Readout readout,
                  std::optional<model::Readout> endings = std::nullopt)
        : LoadedModel(std::move(readout), std::move(endings)), score_of_(std::move(score_of)) {}

    std::unique_ptr<model::Evaluator> make_evaluator() const override {
        return std::make_unique<FunctionEvaluator<ScoreOf>>(score_of_);
    }

  private:
    ScoreOf score_of_;
};

// The position's key and the seed decide, and nothing else.
struct RandomScore {
    std::uint64_t seed;
    float operator()(const chess::Position& position) const {
        return random_score(position.key(), seed);
    }
};

class RandomModel final : public FunctionModel<RandomScore> {
  public:
    explicit RandomModel(std::uint64_t seed, float draw = 0)
        : FunctionModel(RandomScore{seed}, straight_readout(draw)) {}
};

}  // namespace solis::planner
