// Tests of planner/tempo.h.
#include "solis/planner/tempo.h"

#include <gtest/gtest.h>

#include "tests/planner/fake_model.h"
#include "tests/planner/planning.h"

namespace solis::planner {
namespace {

// Likes whoever is to move, and nothing else.
class EagerEvaluator final : public model::Evaluator {
  public:
    void score_children(const chess::Position&, std::span<const chess::Position> children,
                        std::span<float> scores) override {
        for (std::size_t i = 0; i < children.size(); ++i) scores[i] = score(children[i]);
    }
    float score(const chess::Position& position) override {
        return position.side_to_move() == chess::Color::White ? 0.25f : -0.25f;
    }
    void embed(const chess::Position&, std::span<float>) override {}
};

class EagerModel final : public model::LoadedModel {
  public:
    EagerModel() : LoadedModel(scoring_file(0)) {}
    std::unique_ptr<model::Evaluator> make_evaluator() const override {
        return std::make_unique<EagerEvaluator>();
    }
};

TEST(Tempo, IsWhatTheModelAddsForTheMover) { EXPECT_EQ(measured_tempo(EagerModel()), 2500); }

TEST(Tempo, OfTheDefaultModelIsSmall) {
    const Value tempo = measured_tempo(*default_model());
    EXPECT_GT(tempo, -3000);
    EXPECT_LT(tempo, 3000);
    RecordProperty("tempo", tempo);
}

}  // namespace
}  // namespace solis::planner
