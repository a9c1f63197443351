// Tests of planner/time/clock_rehearsal.h: games on a fake clock, of every plan.
#include "solis/planner/time/clock_rehearsal.h"

#include <gtest/gtest.h>

#include "tests/planner/planning.h"

namespace solis::planner {
namespace {

using std::chrono::microseconds;

// Of each plan and rule.
#ifdef SOLIS_SANITIZED
constexpr int kGames = 1;
#else
constexpr int kGames = 4;
#endif

// Slow, so that games are short work. Each thread has a core: all threads together embed one
// position in a part of the time that one thread takes. (Without that, ranking the root on two
// threads alone takes the 5 ms that the shortest rule begins with, and who gets there first decides
// the game.)
FakeMachine slow_machine(int threads) {
    FakeMachine machine;
    machine.per_embedding = microseconds(100 / threads);
    return machine;
}

const std::vector<TimeRule> kRules{
    {.movetime = Milliseconds(2), .lag = microseconds(500)},
    {.clock = {.base = Milliseconds(100), .increment = Milliseconds(5)}, .lag = microseconds(2000)},
    {.clock = {.base = Milliseconds(5), .increment = Milliseconds(20)}, .lag = microseconds(2000)},
    {.clock = {.base = Milliseconds(500)}, .lag = microseconds(200)},
    {.clock = {.base = Milliseconds(300), .moves = 40}, .lag = microseconds(500)},
    {.clock = {.base = Milliseconds(30), .moves = 1}, .lag = microseconds(2000)}};

// Games of one plan at every rule, each of which ends by the rules of chess.
void expect_no_losses(PlanKind kind, int threads, int games) {
    FakeClock clock;
    Settings settings;
    settings.kind = kind;
    settings.threads = threads;
    settings.hash_megabytes = 1;
    settings.width = 2;
    settings.plies = 3;
    Planner planner(timed_model(default_model(), clock, slow_machine(threads)), settings);
    std::uint64_t seed = 0;
    for (const TimeRule& rule : kRules) {
        for (int i = 0; i < games; ++i) {
            const RehearsedGame game = rehearse_game(planner, clock, rule, Seed{++seed});
            EXPECT_FALSE(game.time_loss) << to_string(rule) << ", game " << seed << ", ply "
                                         << game.plies << ": " << game.least_left.count() << " us";
            EXPECT_FALSE(game.illegal_move) << to_string(rule) << ", game " << seed;
            EXPECT_GT(game.plies, 0);
        }
    }
}

TEST(ClockRehearsal, DeepPlanNeverLosesOnTime) { expect_no_losses(PlanKind::Deep, 1, kGames); }
TEST(ClockRehearsal, DeepPlanOnTwoThreadsNeverLosesOnTime) {
    expect_no_losses(PlanKind::Deep, 2, 1);
}
TEST(ClockRehearsal, PuctPlanNeverLosesOnTime) { expect_no_losses(PlanKind::Puct, 1, kGames); }
TEST(ClockRehearsal, PaperPlanNeverLosesOnTime) { expect_no_losses(PlanKind::Paper, 1, kGames); }

TEST(ClockRehearsal, SeesALoss) {
    // A machine on which the root's children alone take longer than the game may.
    FakeClock clock;
    FakeMachine machine;
    machine.per_embedding = Milliseconds(30);
    Planner planner(timed_model(default_model(), clock, machine), Settings{});
    const TimeRule rule{.clock = {.base = Milliseconds(20)}};
    const RehearsedGame game = rehearse_game(planner, clock, rule, Seed{1});
    EXPECT_TRUE(game.time_loss);
    EXPECT_LT(game.least_left.count(), 0);
}

TEST(ClockRehearsal, IsTheSameGameForTheSameSeed) {
    const TimeRule rule{.clock = {.base = Milliseconds(50), .increment = Milliseconds(2)}};
    std::vector<RehearsedGame> games;
    for (int i = 0; i < 2; ++i) {
        FakeClock clock;
        Planner planner(timed_model(default_model(), clock, slow_machine(1)), Settings{});
        games.push_back(rehearse_game(planner, clock, rule, Seed{5}));
    }
    EXPECT_EQ(games[0].plies, games[1].plies);
    EXPECT_EQ(games[0].least_left, games[1].least_left);
}

}  // namespace
}  // namespace solis::planner
