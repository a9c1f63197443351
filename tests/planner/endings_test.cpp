// Endings against a bare king: what the model's encoder for them is worth to a plan.
#include <array>

#include <gtest/gtest.h>

#include "solis/planner/child_scorer.h"
#include "tests/planner/fake_model.h"
#include "tests/planner/planning.h"

namespace solis::planner {
namespace {

using chess::Color;

class ModelWithEndings final : public model::LoadedModel {
  public:
    ModelWithEndings() : LoadedModel(file()) {}
    std::unique_ptr<model::Evaluator> make_evaluator() const override {
        return std::make_unique<RandomEvaluator>(1);
    }

  private:
    static model::ModelFile file() {
        model::ModelFile endings = scoring_file(0);
        endings.calibration =
            *model::Calibration::from_knots({-0.2f, 0.0f, 0.2f}, {0.0f, 0.5f, 1.0f});
        model::ModelFile file = scoring_file(0.1f);
        EXPECT_TRUE(model::attach_endings(file, std::move(endings)));
        return file;
    }
};

TEST(EndingValue, AWinIsBetterThanAnyOtherScoreAndADrawIsADraw) {
    const ModelWithEndings model;
    for (const Scoring scoring : {Scoring::Unanchored, Scoring::Anchored}) {
        const ValueScale scale(model, scoring);
        EXPECT_NEAR(scale.of_ending(0, Color::White), scale.draw(Color::White), 1);
        EXPECT_GT(scale.of_ending(0.2f, Color::White), scale.of_score(1, Color::White));
        EXPECT_LT(scale.of_ending(-0.2f, Color::White), scale.of_score(-1, Color::White));
        EXPECT_FALSE(is_decided(scale.of_ending(1, Color::White)));
        EXPECT_FALSE(is_decided(scale.of_ending(-1, Color::White)));
        Value last = -kInfinite;
        for (int i = -50; i <= 50; ++i) {
            const float score = static_cast<float>(i) / 50;
            const Value value = scale.of_ending(score, Color::White);
            EXPECT_GT(value, last) << score;
            EXPECT_EQ(scale.of_ending(score, Color::Black), -value) << score;
            last = value;
        }
        EXPECT_EQ(scale.win_probability(scale.of_ending(0.9f, Color::White), Color::White), 1);
    }
}

TEST(EndingValue, HasNoTempo) {
    const ModelWithEndings model;
    const ValueScale scale(model, Scoring::Unanchored);
    ChildScorer plain(model, scale), corrected(model, scale, 700);
    const auto expect_difference = [&](const char* fen, Value difference) {
        const chess::Position position = *chess::parse_fen(fen);
        EXPECT_EQ(corrected.score(position), plain.score(position) - difference) << fen;
        const chess::MoveList moves = chess::legal_moves(position);
        std::vector<Child> with, without;
        corrected.score(position, {moves.begin(), moves.end()}, with);
        plain.score(position, {moves.begin(), moves.end()}, without);
        for (std::size_t i = 0; i < with.size(); ++i) {
            if (with[i].finished) continue;
            EXPECT_EQ(with[i].value, without[i].value + difference) << fen;
        }
    };
    expect_difference("4k3/8/8/8/8/8/8/R3K3 w - - 0 1", 0);
    expect_difference("4k3/7p/8/8/8/8/8/R3K3 w - - 0 1", 700);
}

// Far from mate, so that a plan must know the way before it sees the end.
TEST(Endings, AreWonByTheDefaultModel) {
    constexpr std::array kStarts{
        "8/8/8/3k4/8/8/8/KQ6 w - - 0 1",   "8/8/8/8/3k4/8/8/KR6 w - - 0 1",
        "8/8/8/3k4/8/8/8/K1BB4 w - - 0 1", "6qk/8/8/8/3K4/8/8/8 b - - 0 1",
        "6rk/8/8/8/3K4/8/8/8 w - - 0 1",   "4bb1k/8/8/8/3K4/8/8/8 b - - 0 1"};
    ASSERT_NE(default_model()->file().endings, nullptr);
    Settings settings;
    settings.hash_megabytes = 4;
    Limits limits;
    limits.nodes = 3000;
    for (const char* fen : kStarts) {
        Planner planner(default_model(), settings);
        chess::Game game = game_at(fen);
        auto end = game.outcome(chess::Claims::Counted);
        for (; !end; end = game.outcome(chess::Claims::Counted)) {
            game.push(planner.plan(game, limits).best());
        }
        EXPECT_EQ(end->reason, chess::Termination::Checkmate) << fen;
    }
}

}  // namespace
}  // namespace solis::planner
