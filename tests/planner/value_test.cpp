// Tests of planner/value.h.
#include "solis/planner/value.h"

#include <cmath>

#include <gtest/gtest.h>

#include "solis/chess/centipawns.h"
#include "solis/chess/fen.h"
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

// The board with the other side to move.
chess::Position with_mover(Color mover) {
    return *chess::parse_fen(mover == Color::White ? "4k3/7p/8/8/8/8/8/R3K3 w - - 0 1"
                                                   : "4k3/7p/8/8/8/8/8/R3K3 b - - 0 1");
}

TEST(ValueScale, AnchoringShiftsEveryValueByTheSameAmount) {
    const RandomModel model(1);
    const ValueScale plain(model, Scoring::Unanchored), anchored(model, Scoring::Anchored);
    const chess::Position white = with_mover(Color::White), black = with_mover(Color::Black);
    const Value shift = anchored.of_score(0, white);
    EXPECT_GT(shift, 0);
    for (const float score : {-0.9f, -0.1f, 0.3f, 1.0f}) {
        EXPECT_EQ(anchored.of_score(score, white), plain.of_score(score, white) + shift);
        EXPECT_EQ(anchored.of_score(score, black), plain.of_score(score, black) - shift);
        EXPECT_NEAR(anchored.win_probability(anchored.of_score(score, black), Color::Black),
                    1 - model.win_probability(score, black), 1e-3);
    }
}

// A model that sees with the mover's eyes and thinks an even game is at 0.2 of its axis.
TEST(ValueScale, AGameIsEvenForBothWhoeverIsToMove) {
    const model::Readout readout(
        straight_readout(0).axis(),
        *model::Calibration::from_knots({-0.7f, 0.2f, 0.4f, 0.9f}, {0.1f, 0.5f, 0.7f, 1.0f}),
        model::View::Mover);
    const FunctionModel model(RandomScore{1}, readout);
    const ValueScale scale(model, Scoring::Unanchored);
    const chess::Position white = with_mover(Color::White), black = with_mover(Color::Black);
    EXPECT_EQ(scale.of_score(0.2f, white), 0);
    EXPECT_EQ(scale.of_score(-0.2f, black), 0);
    EXPECT_EQ(scale.win_probability(0, Color::White), 0.5);
    Value last = -kInfinite;
    for (int i = -60; i <= 80; ++i) {
        const float score = static_cast<float>(i) / 100;
        const Value value = scale.of_score(score, white);
        EXPECT_GT(value, last) << score;
        EXPECT_EQ(scale.of_score(-score, black), value) << score;
        EXPECT_NEAR(scale.win_probability(value, Color::White),
                    1 - scale.win_probability(-value, Color::Black), 1e-6)
            << score;
        last = value;
    }
    // 70 % lie 0.2 above an even game and 30 % 0.45 below it.
    EXPECT_NEAR(scale.win_probability(3250, Color::White), 0.7, 1e-3);
}

TEST(ValueScale, CentipawnsRiseBeyondTheEndOfTheCalibration) {
    const model::Readout readout(straight_readout(0).axis(),
                                 *model::Calibration::from_knots({-0.5f, 0.5f}, {0.0f, 1.0f}),
                                 model::View::Mover);
    const FunctionModel model(RandomScore{1}, readout);
    const ValueScale scale(model, Scoring::Unanchored);
    int last = scale.centipawns(-kScoreUnit - 100, Color::White);
    for (Value value = -kScoreUnit; value <= 2 * kScoreUnit; value += 100) {
        const int cp = scale.centipawns(value, Color::White);
        EXPECT_GT(cp, last) << value;
        EXPECT_EQ(scale.centipawns(-value, Color::White), -cp) << value;
        last = cp;
    }
    EXPECT_EQ(scale.centipawns(2500, Color::White), std::lround(chess::centipawns_at(0.75)));
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
