// Tests of planner/plan.h: what every plan must do, whatever its kind.
#include "solis/planner/plan.h"

#include <algorithm>
#include <atomic>
#include <thread>

#include <gtest/gtest.h>

#include "solis/chess/movegen.h"
#include "solis/chess/uci_move.h"
#include "tests/planner/planning.h"

namespace solis::planner {
namespace {

Settings small(PlanKind kind) {
    Settings settings;
    settings.kind = kind;
    settings.hash_megabytes = 4;
    return settings;
}

Limits nodes(std::uint64_t count) {
    Limits limits;
    limits.nodes = count;
    return limits;
}

constexpr const char* kMiddleGame =
    "r1bq1rk1/pp2bppp/2n1pn2/3p4/3P1B2/2NBPN2/PP3PPP/R2QK2R w KQ - 4 9";

class EveryPlan : public testing::TestWithParam<PlanKind> {
  protected:
    Planner planner_{default_model(), small(GetParam())};
};

TEST_P(EveryPlan, PrefersTheShortestMate) {
    // Many moves win, one mates at once.
    const Plan plan = planner_.plan(game_at("6k1/5ppp/8/8/8/8/8/RR4K1 w - - 0 1"), nodes(20'000));
    ASSERT_FALSE(plan.lines.empty());
    EXPECT_EQ(mate_distance(plan.lines.front().value), 1);
}

TEST_P(EveryPlan, HasNoMoveWhereTheGameIsOver) {
    EXPECT_TRUE(planner_.plan(game_at("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"), {}).best().is_none());
    EXPECT_TRUE(planner_.plan(game_at("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1"), {}).lines.empty());
}

TEST_P(EveryPlan, LooksOnlyAtTheMovesAskedFor) {
    Limits limits = nodes(5'000);
    const chess::Game game = game_at(kMiddleGame);
    limits.search_moves = {*chess::parse_uci(game.position(), "a2a3"),
                           *chess::parse_uci(game.position(), "h2h4")};
    const Plan plan = planner_.plan(game, limits);
    ASSERT_FALSE(plan.lines.empty());
    EXPECT_NE(std::find(limits.search_moves.begin(), limits.search_moves.end(), plan.best()),
              limits.search_moves.end());
    EXPECT_EQ(plan.root.size(), 2u);
}

TEST_P(EveryPlan, GivesAsManyDifferentLinesAsAskedFor) {
    Settings settings = small(GetParam());
    settings.multipv = 3;
    planner_.set(settings);
    const Plan plan = planner_.plan(game_at(kMiddleGame), nodes(20'000));
    ASSERT_EQ(plan.lines.size(), 3u);
    for (std::size_t i = 0; i < 3; ++i) {
        for (std::size_t j = 0; j < i; ++j) {
            EXPECT_NE(plan.lines[i].moves.front(), plan.lines[j].moves.front());
        }
    }
}

TEST_P(EveryPlan, LinesAreLegalMovesFromTheRoot) {
    const chess::Game game = game_at(kMiddleGame);
    const Plan plan = planner_.plan(game, nodes(20'000));
    chess::Position position = game.position();
    for (const chess::Move move : plan.lines.front().moves) {
        ASSERT_TRUE(chess::legal_moves(position).contains(move));
        position = position.after(move);
    }
}

TEST_P(EveryPlan, IsTheSameEveryTimeOnOneThread) {
    const chess::Game game = game_at(kMiddleGame);
    const Plan first = planner_.plan(game, nodes(15'000));
    planner_.clear_hash();
    const Plan second = planner_.plan(game, nodes(15'000));
    Planner other(default_model(), small(GetParam()));
    const Plan third = other.plan(game, nodes(15'000));
    EXPECT_EQ(first.lines.front().moves, second.lines.front().moves);
    EXPECT_EQ(first.lines.front().value, second.lines.front().value);
    EXPECT_EQ(first.effort.embedded, second.effort.embedded);
    EXPECT_EQ(first.lines.front().moves, third.lines.front().moves);
    EXPECT_EQ(first.effort.embedded, third.effort.embedded);
}

TEST_P(EveryPlan, StopsNearItsNodeLimit) {
    const Plan plan = planner_.plan(game_at(kMiddleGame), nodes(1'000));
    EXPECT_LE(plan.effort.embedded, 1'000u + 800u);
}

TEST_P(EveryPlan, AnswersEvenIfStoppedBeforeItBegan) {
    Signals signals;
    signals.stop();
    Silence silence;
    Limits limits;
    limits.infinite = true;
    const Plan plan = planner_.plan(game_at(kMiddleGame), limits, silence, signals);
    EXPECT_FALSE(plan.best().is_none());
}

TEST_P(EveryPlan, WaitsForTheSignalWhereTimeIsInfinite) {
    Signals signals;
    Silence silence;
    Limits limits;
    limits.infinite = true;
    limits.depth = 1;
    std::atomic<bool> answered{false};
    std::thread thinker([&] {
        (void)planner_.plan(game_at("8/8/8/4k3/8/8/4P3/4K3 w - - 0 1"), limits, silence, signals);
        answered = true;
    });
    std::this_thread::yield();
    EXPECT_FALSE(answered);
    signals.stop();
    thinker.join();
    EXPECT_TRUE(answered);
}

TEST_P(EveryPlan, ValuesADrawnMoveAtProbabilityOneHalf) {
    // The only legal move takes the queen and leaves bare kings.
    const Plan plan = planner_.plan(game_at("8/8/8/8/8/2k5/8/Kq6 w - - 0 1"), nodes(1'000));
    ASSERT_FALSE(plan.lines.empty());
    EXPECT_EQ(plan.lines.front().value, planner_.scale().draw(chess::Color::White));
}

INSTANTIATE_TEST_SUITE_P(All, EveryPlan,
                         testing::Values(PlanKind::Paper, PlanKind::Deep, PlanKind::Puct),
                         [](const auto& kind) { return std::string(name_of(kind.param)); });

TEST(PlanKind, NamesAreReadBack) {
    for (const PlanKind kind : {PlanKind::Paper, PlanKind::Deep, PlanKind::Puct}) {
        EXPECT_EQ(plan_kind_from(name_of(kind)), kind);
    }
    EXPECT_EQ(plan_kind_from("alpha"), std::nullopt);
}

}  // namespace
}  // namespace solis::planner
