// Tests of planner/plan.h: what every plan must do.
#include "planner/plan.h"

#include <gtest/gtest.h>

#include "chess/fen.h"
#include "chess/movegen.h"
#include "chess/uci_move.h"
#include "model/embedded_model.h"
#include "tests/planner/fake_model.h"

namespace solis::planner {
namespace {

chess::Game game_at(std::string_view fen) { return chess::Game(*chess::parse_fen(fen)); }

Planner default_planner(PlanKind kind) {
    Settings settings;
    settings.kind = kind;
    settings.hash_megabytes = 4;
    return Planner(*model::prepare(*model::load_model_or_default("")), settings);
}

class EveryPlan : public testing::TestWithParam<PlanKind> {};

TEST_P(EveryPlan, FindsTheShortestMate) {
    Planner planner = default_planner(GetParam());
    Limits limits;
    limits.nodes = 20'000;
    const Plan plan = planner.plan(game_at("6k1/5ppp/8/8/8/8/8/RR4K1 w - - 0 1"), limits);
    ASSERT_FALSE(plan.lines.empty());
    EXPECT_EQ(mate_distance(plan.lines.front().value), 1);
}

TEST_P(EveryPlan, HasNoMoveWhereTheGameIsOver) {
    Planner planner = default_planner(GetParam());
    const Plan plan = planner.plan(game_at("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"), Limits{});
    EXPECT_TRUE(plan.lines.empty());
    EXPECT_TRUE(plan.best().is_none());
}

INSTANTIATE_TEST_SUITE_P(All, EveryPlan,
                         testing::Values(PlanKind::Paper, PlanKind::Deep, PlanKind::Puct),
                         [](const auto& kind) { return std::string(name_of(kind.param)); });

}  // namespace
}  // namespace solis::planner
