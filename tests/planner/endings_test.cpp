// Endings against a bare king: what the model's encoder for them is worth to a plan.
#include <array>

#include <gtest/gtest.h>

#include "solis/planner/child_scorer.h"
#include "tests/planner/fake_model.h"
#include "tests/planner/planning.h"

namespace solis::planner {
namespace {

using chess::Color;

constexpr const char* kEnding = "4k3/8/8/8/8/8/8/R3K3 w - - 0 1";
constexpr const char* kNoEnding = "4k3/7p/8/8/8/8/8/R3K3 w - - 0 1";

class ModelWithEndings final : public FunctionModel<RandomScore> {
  public:
    ModelWithEndings()
        : FunctionModel(
              RandomScore{1}, straight_readout(0.1f),
              model::Readout(straight_readout(0).axis(),
                             *model::Calibration::from_knots({-0.2f, 0.0f, 0.2f}, {0, 0.5f, 1}),
                             model::View::Mover)) {}
};

TEST(EndingValue, AWinIsBetterThanAnyOtherScoreAndADrawIsADraw) {
    const ModelWithEndings model;
    const chess::Position ending = *chess::parse_fen(kEnding), other = *chess::parse_fen(kNoEnding);
    const chess::Position turned = *chess::parse_fen("4k3/8/8/8/8/8/8/R3K3 b - - 0 1");
    for (const Scoring scoring : {Scoring::Unanchored, Scoring::Anchored}) {
        const ValueScale scale(model, scoring);
        EXPECT_NEAR(scale.of_score(0, ending), scale.draw(Color::White), 1);
        EXPECT_GT(scale.of_score(0.2f, ending), scale.of_score(1, other));
        EXPECT_LT(scale.of_score(-0.2f, ending), scale.of_score(-1, other));
        EXPECT_FALSE(is_decided(scale.of_score(1, ending)));
        EXPECT_FALSE(is_decided(scale.of_score(-1, ending)));
        Value last = -kInfinite;
        for (int i = -50; i <= 50; ++i) {
            const float score = static_cast<float>(i) / 50;
            const Value value = scale.of_score(score, ending);
            EXPECT_GT(value, last) << score;
            EXPECT_EQ(scale.of_score(score, turned), -value) << score;
            last = value;
        }
        EXPECT_EQ(scale.win_probability(scale.of_score(0.9f, ending), Color::White), 1);
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
    expect_difference(kEnding, 0);
    expect_difference(kNoEnding, 700);
}

// Far from mate, so that a plan must know the way before it sees the end.
TEST(Endings, AreWonByTheDefaultModel) {
    constexpr std::array kStarts{
        "8/8/8/3k4/8/8/8/KQ6 w - - 0 1",   "8/8/8/8/3k4/8/8/KR6 w - - 0 1",
        "8/8/8/3k4/8/8/8/K1BB4 w - - 0 1", "6qk/8/8/8/3K4/8/8/8 b - - 0 1",
        "6rk/8/8/8/3K4/8/8/8 w - - 0 1",   "4bb1k/8/8/8/3K4/8/8/8 b - - 0 1"};
    ASSERT_TRUE(default_model()->has_endings());
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
