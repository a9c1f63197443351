// Tests of engine/uci/lag_meter.h. All times are made up; nothing here waits.
#include "solis/engine/uci/lag_meter.h"

#include <gtest/gtest.h>

#include "solis/planner/time/time_control.h"

namespace solis::engine {
namespace {

using chess::Color;
using planner::Milliseconds;
using std::chrono::microseconds;

constexpr Milliseconds kOverhead{10};

// A game of White on a clock that the other side keeps.
class ClockGame {
  public:
    ClockGame(Milliseconds base, Milliseconds increment) : left_(base), increment_(increment) {}

    [[nodiscard]] planner::Limits limits() const {
        planner::Limits limits;
        const auto shown = std::chrono::floor<Milliseconds>(left_);
        limits.clock = planner::ClockTime{shown, Milliseconds(1000), increment_, increment_};
        limits.asked = now_;
        return limits;
    }
    // The engine takes `thinks` from go to bestmove, and `lag` is lost on the way to the clock.
    void move(LagMeter& meter, microseconds thinks, microseconds lag) {
        meter.on_go(limits(), Color::White, kOverhead);
        now_ += thinks;
        meter.on_answer(now_);
        left_ -= thinks + lag;
        least_ = std::min(least_, left_);
        left_ += increment_;
        now_ += std::chrono::seconds(1);  // the opponent thinks
    }
    [[nodiscard]] microseconds least() const { return least_; }

  private:
    microseconds left_;
    Milliseconds increment_;
    microseconds least_ = std::chrono::hours(1);
    LagMeter::TimePoint now_{};
};

TEST(LagMeter, KeepsNothingBackWhereNothingIsLost) {
    LagMeter meter;
    ClockGame game(Milliseconds(1000), Milliseconds(20));
    for (int i = 0; i < 50; ++i) game.move(meter, microseconds(1234), microseconds(300));
    EXPECT_EQ(meter.margin(), Milliseconds(0));
}

TEST(LagMeter, LearnsFromTheNextClockWhatWasLostOnTheWay) {
    LagMeter meter;
    ClockGame game(Milliseconds(1000), Milliseconds(20));
    game.move(meter, Milliseconds(1), Milliseconds(31));
    EXPECT_EQ(meter.margin(), Milliseconds(0)) << "not known yet";
    game.move(meter, Milliseconds(1), Milliseconds(0));
    EXPECT_GE(meter.margin(), Milliseconds(29));
    EXPECT_LE(meter.margin(), Milliseconds(31));
}

TEST(LagMeter, LearnsFromAnswersThatCameLaterThanAllowed) {
    LagMeter meter;
    ClockGame game(Milliseconds(1000), Milliseconds(20));
    const auto allowed = planner::time_budget(game.limits(), Color::White, kOverhead)->allowed;
    game.move(meter, allowed + Milliseconds(45), microseconds(0));
    game.move(meter, Milliseconds(1), microseconds(0));
    EXPECT_GE(meter.margin(), Milliseconds(44));
    EXPECT_LE(meter.margin(), Milliseconds(46));
}

TEST(LagMeter, ForgetsSlowly) {
    LagMeter meter;
    ClockGame game(Milliseconds(10'000), Milliseconds(100));
    game.move(meter, Milliseconds(1), Milliseconds(41));
    for (int i = 0; i < 14; ++i) game.move(meter, Milliseconds(1), Milliseconds(0));
    EXPECT_GT(meter.margin(), Milliseconds(15));
    EXPECT_LT(meter.margin(), Milliseconds(25));
    for (int i = 0; i < 100; ++i) game.move(meter, Milliseconds(1), Milliseconds(0));
    EXPECT_LE(meter.margin(), Milliseconds(1));
}

TEST(LagMeter, IsNotMisledByOtherClocks) {
    LagMeter meter;
    const LagMeter::TimePoint start{};
    planner::Limits limits;
    limits.asked = start;
    limits.clock = planner::ClockTime{Milliseconds(5000), Milliseconds(5000)};
    const auto move = [&](Milliseconds left, Color mover) {
        limits.clock->white = limits.clock->black = left;
        meter.on_go(limits, mover, kOverhead);
        meter.on_answer(start);
    };
    move(Milliseconds(5000), Color::White);
    move(Milliseconds(4900), Color::Black);  // the other side's clock
    EXPECT_EQ(meter.margin(), Milliseconds(0));
    move(Milliseconds(9000), Color::Black);  // time was added
    EXPECT_EQ(meter.margin(), Milliseconds(0));
    move(Milliseconds(100), Color::Black);  // another game
    EXPECT_EQ(meter.margin(), Milliseconds(0));
    meter.new_game();
    move(Milliseconds(50), Color::Black);
    EXPECT_EQ(meter.margin(), Milliseconds(0));
}

// On a machine that lets an answer wait for 60 ms now and then, and always for some milliseconds.
microseconds least_left(bool adapts) {
    LagMeter meter;
    ClockGame game(Milliseconds(600), Milliseconds(20));
    for (int i = 0; i < 200; ++i) {
        planner::Limits limits = game.limits();
        if (adapts) limits.lag = meter.margin();
        const auto budget = planner::time_budget(limits, Color::White, kOverhead);
        game.move(meter, budget->wanted, Milliseconds(i % 12 < 2 ? 60 : 6));
    }
    return game.least();
}

TEST(LagMeter, KeepsAClockAliveThatWouldRunOut) {
    EXPECT_LT(least_left(false), Milliseconds(0));
    EXPECT_GT(least_left(true), Milliseconds(60));
}

}  // namespace
}  // namespace solis::engine
