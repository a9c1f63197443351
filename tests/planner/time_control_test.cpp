// Tests of planner/time/time_control.h. The division of the clock is arithmetic; nothing here
// waits.
#include "solis/planner/time/time_control.h"

#include <gtest/gtest.h>

namespace solis::planner {
namespace {

using chess::Color;

Limits clock_of(int white_ms, int increment_ms, int moves_to_go) {
    Limits limits;
    limits.clock = ClockTime{Milliseconds(white_ms), Milliseconds(1), Milliseconds(increment_ms),
                             Milliseconds(0), moves_to_go};
    return limits;
}

TEST(TimeBudget, IsNoneWithoutAClock) {
    EXPECT_FALSE(time_budget({}, Color::White, Milliseconds(10)));
    Limits limits = clock_of(1000, 0, 0);
    limits.infinite = true;
    EXPECT_FALSE(time_budget(limits, Color::White, Milliseconds(10)));
}

TEST(TimeBudget, OfAFixedTimeIsAllOfIt) {
    for (const int time : {1, 50, 60'000}) {
        Limits limits;
        limits.movetime = Milliseconds(time);
        const auto budget = time_budget(limits, Color::White, Milliseconds(10));
        EXPECT_EQ(budget->wanted, Milliseconds(time));
        EXPECT_EQ(budget->allowed, Milliseconds(time));
    }
}

TEST(TimeBudget, OfAnEmptyClockIsNearlyNothing) {
    // A hundredth of a second, and hundreds of moves to come.
    const auto budget = time_budget(clock_of(10, 0, 0), Color::White, Milliseconds(10));
    EXPECT_GT(budget->wanted.count(), 0);
    EXPECT_LE(budget->allowed * 200, Milliseconds(10));
}

TEST(TimeBudget, LooksAtTheMoversClock) {
    const Limits limits = clock_of(60'000, 0, 0);
    EXPECT_GT(time_budget(limits, Color::White, Milliseconds(10))->wanted, Milliseconds(500));
    EXPECT_LT(time_budget(limits, Color::Black, Milliseconds(10))->allowed, Milliseconds(1));
}

// Plays whole games in which every move takes all it is allowed, and the overhead on top.
TEST(TimeBudget, NeverLosesOnTimeEvenIfEveryMoveTakesAllItMay) {
    for (const int start : {50, 300, 1'000, 60'000}) {
        for (const int increment : {0, 20, 1'000}) {
            for (const int period : {0, 1, 2, 40}) {
                const int overhead = 10;
                std::chrono::microseconds left = Milliseconds(start);
                for (int move = 0; move < 200; ++move) {
                    const int to_go = period == 0 ? 0 : period - move % period;
                    const auto budget = time_budget(
                        clock_of(static_cast<int>(left.count() / 1000), increment, to_go),
                        Color::White, Milliseconds(overhead));
                    ASSERT_GT(budget->wanted.count(), 0);
                    ASSERT_LE(budget->wanted, budget->allowed);
                    // Below this no budget helps against the overhead.
                    if (left <= Milliseconds(2 * overhead)) break;
                    left -= budget->allowed;
                    ASSERT_GT(left.count(), 0) << start << "+" << increment << " move " << move;
                    left += Milliseconds(increment);
                    if (period != 0 && to_go == 1) left += Milliseconds(start);
                }
            }
        }
    }
}

TEST(TimeBudget, KeepsAFewOverheadsWhereTheIncrementIsSmaller) {
    std::chrono::microseconds left = Milliseconds(100);
    for (int move = 0; move < 300; ++move) {
        const auto budget = time_budget(clock_of(static_cast<int>(left.count() / 1000), 5, 0),
                                        chess::Color::White, Milliseconds(10));
        // As long as it may, and nearly the increment on top of it until the clock is stopped.
        left -= budget->allowed + Milliseconds(4);
        ASSERT_GT(left, Milliseconds(45)) << "move " << move;
        left += Milliseconds(5);
    }
    EXPECT_LT(left, Milliseconds(80));  // the rest was used
}

TEST(TimeBudget, KeepsAReserveForDelaysThatWereSeen) {
    for (const int moves_to_go : {0, 40}) {
        Limits limits = clock_of(1'000, 50, moves_to_go);
        const auto usual = time_budget(limits, Color::White, Milliseconds(10));
        limits.lag = Milliseconds(100);
        const auto careful = time_budget(limits, Color::White, Milliseconds(10));
        EXPECT_LT(careful->wanted, usual->wanted);
        EXPECT_GT(careful->wanted, Milliseconds(5)) << "there is enough for moves as before";
        // Two delays and five overheads are all there is: next to nothing is planned with.
        limits.clock->white = Milliseconds(250);
        limits.clock->white_increment = Milliseconds(5);
        EXPECT_LE(time_budget(limits, Color::White, Milliseconds(10))->allowed, Milliseconds(1));
    }
}

TEST(TimeBudget, SpendsTheWholePeriodWhenMovesToGoRunOut) {
    const auto last = time_budget(clock_of(10'000, 0, 1), Color::White, Milliseconds(10));
    EXPECT_GT(last->wanted, Milliseconds(8'000));
    EXPECT_LT(last->allowed, Milliseconds(9'990));
}

TEST(TimeControl, GoesByTheClockItIsGiven) {
    std::chrono::nanoseconds now = std::chrono::hours(5);
    Limits limits;
    limits.movetime = Milliseconds(20);
    limits.clock_source = [&now] { return now; };
    const TimeControl time(limits, Color::White, Milliseconds(10));
    const Signals signals;
    now += Milliseconds(19);
    EXPECT_FALSE(time.is_over(signals));
    EXPECT_EQ(time.elapsed(), Milliseconds(19));
    now += Milliseconds(1);
    EXPECT_TRUE(time.is_over(signals));
}

TEST(TimeControl, CountsFromWhenTheQuestionCame) {
    Limits limits;
    limits.movetime = Milliseconds(20);
    limits.asked = TimeControl::Clock::now() - Milliseconds(50);
    const Signals signals;
    const TimeControl time(limits, Color::White, Milliseconds(10));
    EXPECT_TRUE(time.is_over(signals));
    EXPECT_GE(time.elapsed(), Milliseconds(50));
    // A clock of its own knows nothing of that time.
    limits.clock_source = [] { return Milliseconds(7); };
    EXPECT_FALSE(TimeControl(limits, Color::White, Milliseconds(10)).is_over(signals));
}

TEST(TimeControl, DoesNotCountWhilePondering) {
    Limits limits;
    limits.movetime = Milliseconds(0);
    limits.ponder = true;
    const TimeControl time(limits, Color::White, Milliseconds(0));
    Signals signals;
    EXPECT_FALSE(time.is_over(signals));
    signals.ponder_hit();
    signals.wait(true);
    EXPECT_TRUE(signals.ponder_hit_time().has_value());
    EXPECT_TRUE(time.is_over(signals)) << "now it counts, and there is none";
}

}  // namespace
}  // namespace solis::planner
