// Tests of planner/puct/plan.h: several threads on one tree. The scores are random: what is tested
// is the bookkeeping.
#include <gtest/gtest.h>

#include "solis/chess/movegen.h"
#include "solis/planner/puct/plan.h"
#include "tests/planner/fake_model.h"
#include "tests/planner/planning.h"

namespace solis::planner {
namespace {

Plan plan_with(int threads, const chess::Game& game, std::uint64_t nodes) {
    Settings settings;
    settings.kind = PlanKind::Puct;
    settings.threads = threads;
    settings.hash_megabytes = 4;
    Planner planner(std::make_shared<const RandomModel>(3), settings);
    Limits limits;
    limits.nodes = nodes;
    return planner.plan(game, limits);
}

TEST(PuctPlan, EveryPlayoutOfEveryThreadIsCountedOnceAtTheRoot) {
    for (const int threads : {1, 2, 4}) {
        const Plan plan = plan_with(threads, chess::Game(), 20'000);
        std::uint64_t visits = 0;
        for (const RootStatistics& move : plan.root) visits += move.nodes;
        EXPECT_EQ(visits, plan.effort.beam_nodes) << threads << " threads";
        EXPECT_GE(plan.effort.nodes, 20'000u);
        EXPECT_TRUE(chess::legal_moves(chess::Position::start()).contains(plan.best()));
        EXPECT_EQ(plan.root.size(), 20u);
    }
}

TEST(PuctPlan, ThreadsProveTheSameMate) {
    const chess::Game game = game_at("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1");
    for (const int threads : {1, 3}) {
        EXPECT_EQ(mate_distance(plan_with(threads, game, 200'000).lines.front().value), 2)
            << threads << " threads";
    }
}

}  // namespace
}  // namespace solis::planner
