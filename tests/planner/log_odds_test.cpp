// Tests of planner/deep/log_odds.h and planner/deep/corrections.h.
#include "solis/planner/deep/log_odds.h"

#include <cmath>

#include <gtest/gtest.h>

#include "solis/chess/fen.h"
#include "solis/planner/deep/corrections.h"
#include "tests/planner/fake_model.h"
#include "tests/planner/planning.h"

namespace solis::planner {
namespace {

TEST(LogOdds, RiseWithTheScoreAndAreSymmetric) {
    const LogOdds odds(*default_model());
    Value before = -kInfinite;
    for (int score = -24'000; score <= 24'000; score += 7) {
        const Value value = odds.from_plan(score, 0);
        EXPECT_GE(value, before);
        EXPECT_EQ(odds.from_plan(-score, 0), -value);
        EXPECT_FALSE(is_decided(value));
        before = value;
    }
    EXPECT_EQ(odds.from_plan(0, 0), 0);
    EXPECT_EQ(odds.from_plan(150, 150), 0) << "counted from a draw";
}

TEST(LogOdds, AreQuartersOfTheCentipawnsThatUsersSee) {
    const ValueScale scale(*default_model(), Scoring::Unanchored);
    const LogOdds odds(*default_model());
    for (int score = -9000; score <= 9000; score += 250) {
        EXPECT_NEAR(odds.from_plan(score, 0), 4 * scale.centipawns(score, chess::Color::White), 3)
            << score;
    }
}

TEST(LogOdds, ComeBackToTheScoreTheyCameFrom) {
    for (const float draw : {0.0f, 0.25f}) {
        const RandomModel model(3, draw);
        const LogOdds odds(model);
        for (int score = -7000; score <= 7000; score += 31) {
            EXPECT_NEAR(odds.to_plan(odds.from_plan(score + 400, 400), 400), score + 400, 8);
        }
    }
    const LogOdds odds(*default_model());
    for (const Value decided : {mate_in(3), mated_in(8), kTablebaseWin - 5}) {
        EXPECT_EQ(odds.from_plan(decided, 100), decided);
        EXPECT_EQ(odds.to_plan(decided, 100), decided);
    }
}

TEST(Corrections, AreLearnedForTheStructureAndItsSideOnly) {
    const auto corrections = std::make_unique<Corrections>();
    const auto at = [](const char* fen) { return *chess::parse_fen(fen); };
    const chess::Position here = at("r3k3/ppp5/8/8/8/8/5PPP/4K2R w - - 0 1");
    EXPECT_EQ(corrections->of(here), 0);
    for (int i = 0; i < 200; ++i) corrections->learn(here, 6, 300);
    const Value all = corrections->of(here);
    EXPECT_GT(all, 100);
    EXPECT_LE(all, 192) << "three kinds, 16 centipawns each";
    const Value same_pawns = corrections->of(at("1r2k3/ppp5/8/8/8/8/5PPP/3QK3 w - - 0 1"));
    EXPECT_GT(same_pawns, 0);
    EXPECT_LT(same_pawns, all);
    EXPECT_EQ(corrections->of(at("1r1k4/pp6/8/8/8/8/6PP/2Q1K3 w - - 0 1")), 0);
    EXPECT_EQ(corrections->of(at("r3k3/ppp5/8/8/8/8/5PPP/4K2R b - - 0 1")), 0) << "the other side";
    for (int i = 0; i < 400; ++i) corrections->learn(here, 6, -300);
    EXPECT_LT(corrections->of(here), -100);
}

}  // namespace
}  // namespace solis::planner
