// Tests of planner/value.h.
#include "solis/planner/value.h"

#include <gtest/gtest.h>

#include "tests/planner/fake_model.h"

namespace solis::planner {
namespace {

using chess::Color;

TEST(Value, CountsMovesToMateAsPeopleDo) {
    EXPECT_EQ(mate_distance(mate_in(1)), 1);
    EXPECT_EQ(mate_distance(mate_in(2)), 1);
    EXPECT_EQ(mate_distance(mate_in(3)), 2);
    EXPECT_EQ(mate_distance(mated_in(2)), -1);
    EXPECT_EQ(mate_distance(mated_in(4)), -2);
    EXPECT_EQ(mate_distance(kTablebaseWin), std::nullopt);
    EXPECT_EQ(mate_distance(kScoreUnit), std::nullopt);
    EXPECT_GT(mate_in(1), mate_in(3));
    EXPECT_GT(mated_in(4), mated_in(2));
    EXPECT_GT(mate_in(kMaxPly), kTablebaseWin);
}

TEST(ValueScale, ADrawIsTheScoreOfProbabilityOneHalf) {
    for (const float draw : {-0.25f, 0.0f, 0.5f}) {
        const RandomModel model(1, draw);
        for (const Scoring scoring : {Scoring::Unanchored, Scoring::Anchored}) {
            const ValueScale scale(model, scoring);
            for (const Color mover : {Color::White, Color::Black}) {
                const Value value = scale.draw(mover);
                EXPECT_NEAR(scale.win_probability(value, mover), 0.5, 1e-4);
                EXPECT_EQ(scale.centipawns(value, mover), 0);
            }
        }
    }
}

TEST(ValueScale, AnchoringShiftsEveryValueByTheSameAmount) {
    const RandomModel model(1);
    const ValueScale plain(model, Scoring::Unanchored), anchored(model, Scoring::Anchored);
    const Value shift = anchored.of_score(0, Color::White);
    EXPECT_GT(shift, 0);
    for (const float score : {-0.9f, -0.1f, 0.3f, 1.0f}) {
        EXPECT_EQ(anchored.of_score(score, Color::White),
                  plain.of_score(score, Color::White) + shift);
        EXPECT_EQ(anchored.of_score(score, Color::Black),
                  plain.of_score(score, Color::Black) - shift);
        EXPECT_NEAR(anchored.score(anchored.of_score(score, Color::Black), Color::Black),
                    -static_cast<double>(score), 1e-4);
    }
}

TEST(ValueScale, WinDrawAndLossKeepTheExpectedResult) {
    const RandomModel model(1);
    const ValueScale scale(model, Scoring::Unanchored);
    for (const Value value : {-9000, -100, 0, 4000, mate_in(3)}) {
        const WinDrawLoss wdl = scale.win_draw_loss(value, Color::Black);
        EXPECT_NEAR(wdl.win + wdl.draw + wdl.loss, 1.0, 1e-12);
        EXPECT_NEAR(wdl.win + wdl.draw / 2, scale.win_probability(value, Color::Black), 1e-12);
    }
}

TEST(ValueScale, AtProbabilityInvertsWinProbability) {
    const RandomModel model(1, 0.2f);
    const ValueScale scale(model, Scoring::Anchored);
    for (const double p : {0.1, 0.5, 0.7}) {
        for (const Color mover : {Color::White, Color::Black}) {
            EXPECT_NEAR(scale.win_probability(scale.at_probability(p, mover), mover), p, 1e-3);
        }
    }
}

}  // namespace
}  // namespace solis::planner
