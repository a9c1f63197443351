// Tests of planner/plan.h: what every plan must do, whatever its kind.
#include "solis/planner/plan.h"

#include <algorithm>
#include <atomic>
#include <future>
#include <thread>
#include <utility>

#include <gtest/gtest.h>

#include "solis/chess/movegen.h"
#include "solis/chess/uci_move.h"
#include "tests/planner/fake_model.h"
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

// What is tested here holds for any scores.
std::shared_ptr<const model::LoadedModel> random_model() {
    static const auto model = std::make_shared<const RandomModel>(7);
    return model;
}

constexpr const char* kMiddleGame =
    "r1bq1rk1/pp2bppp/2n1pn2/3p4/3P1B2/2NBPN2/PP3PPP/R2QK2R w KQ - 4 9";

class EveryPlan : public testing::TestWithParam<PlanKind> {
  protected:
    Planner planner_{random_model(), small(GetParam())};
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
    Planner other(random_model(), small(GetParam()));
    const Plan third = other.plan(game, nodes(15'000));
    EXPECT_EQ(first.lines.front().moves, second.lines.front().moves);
    EXPECT_EQ(first.lines.front().value, second.lines.front().value);
    EXPECT_EQ(first.effort.embedded, second.effort.embedded);
    EXPECT_EQ(first.lines.front().moves, third.lines.front().moves);
    EXPECT_EQ(first.effort.embedded, third.effort.embedded);
}

TEST_P(EveryPlan, StopsNearItsNodeLimit) {
    const Plan plan = planner_.plan(game_at(kMiddleGame), nodes(1'000));
    EXPECT_GE(plan.effort.nodes, 1'000u);
    EXPECT_LE(plan.effort.nodes, 1'000u + 800u);
    EXPECT_LE(plan.effort.embedded, plan.effort.nodes);
}

TEST_P(EveryPlan, StopsNearItsLimitOfEmbeddings) {
    Limits limits;
    limits.embeddings = 1'000;
    const Plan plan = planner_.plan(game_at(kMiddleGame), limits);
    EXPECT_GE(plan.effort.embedded, 1'000u);
    EXPECT_LE(plan.effort.embedded, 1'000u + 800u);
}

// Pawns that block each other and two kings: a few thousand positions, which are soon all known.
constexpr const char* kLocked = "8/8/1p1p1p1p/pPpPpPpP/P1P1P1P1/8/1K6/7k w - - 0 1";

TEST_P(EveryPlan, EndsWhereEverythingIsKnown) {
    Settings settings = small(GetParam());
    settings.width = Settings::kMaxWidth;
    settings.plies = Settings::kMaxPlies;
    planner_.set(settings);
    for (int i = 0; i < 2; ++i) {
        const Plan plan = planner_.plan(game_at(kLocked), nodes(80'000));
        EXPECT_FALSE(plan.best().is_none());
        EXPECT_GE(plan.effort.nodes, 80'000u);
        EXPECT_LE(plan.effort.nodes, 82'000u);
    }
    Limits limits;
    limits.embeddings = 20'000;
    const Plan plan = planner_.plan(game_at(kLocked), limits);
    EXPECT_LE(plan.effort.nodes, Limits::kNodesPerEmbedding * 20'000u + 2'000u);
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
    class FirstReport final : public Observer {
      public:
        std::promise<void> first;

      private:
        void on_info(const Info&) override {
            if (!std::exchange(told_, true)) first.set_value();
        }
        bool told_ = false;
    };
    Signals signals;
    FirstReport report;
    Limits limits;
    limits.infinite = true;
    limits.depth = 1;
    std::atomic<bool> answered{false};
    std::thread thinker([&] {
        (void)planner_.plan(game_at("8/8/8/4k3/8/8/4P3/4K3 w - - 0 1"), limits, report, signals);
        answered = true;
    });
    // The plan is at its end: a ply more and it would answer, were it not told to wait.
    report.first.get_future().wait();
    std::this_thread::sleep_for(Milliseconds(50));
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

TEST_P(EveryPlan, SettingsThatChangeScoresForgetWhatWasScored) {
    const chess::Game game = game_at(kMiddleGame);
    Settings changed = small(GetParam());
    changed.scoring = Scoring::Anchored;
    Settings other_tempo = small(GetParam());
    other_tempo.deep.tempo = 1500;
    for (const Settings& settings : {changed, other_tempo}) {
        Planner fresh(random_model(), settings);
        const Plan expected = fresh.plan(game, nodes(8'000));
        planner_.set(small(GetParam()));
        (void)planner_.plan(game, nodes(8'000));
        planner_.set(settings);
        const Plan plan = planner_.plan(game, nodes(8'000));
        EXPECT_EQ(plan.lines.front().value, expected.lines.front().value);
        EXPECT_EQ(plan.lines.front().moves, expected.lines.front().moves);
        EXPECT_EQ(plan.effort.embedded, expected.effort.embedded);
    }
}

TEST(Planner, TellsTheHashThatItCouldGet) {
    Settings settings = small(PlanKind::Deep);
    // A tebibyte, which most systems refuse.
    settings.hash_megabytes = Settings::kMaxHashMegabytes;
    Planner planner(random_model(), settings);
    EXPECT_GE(planner.settings().hash_megabytes, 1u);
    settings.hash_megabytes = 3;
    planner.set(settings);
    EXPECT_EQ(planner.settings().hash_megabytes, 3u);
    EXPECT_FALSE(planner.plan(chess::Game(), nodes(100)).best().is_none());
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
