// Duels of plans inside one process.
#include <gtest/gtest.h>

#include "solis/lab/duel/plan_duel.h"
#include "tests/planner/fake_model.h"

namespace solis::lab {
namespace {

DuelSide side(std::uint64_t nodes) {
    DuelSide side;
    side.model = std::make_shared<const planner::RandomModel>(5);
    side.settings = *duel_settings({});
    side.settings.hash_megabytes = 1;
    side.limits.nodes = nodes;
    return side;
}

TEST(PlanDuel, EqualSidesShareTheirPairs) {
    PlanDuel duel(side(60), side(60), 1);
    for (std::uint64_t pair = 0; pair < 3; ++pair) {
        EXPECT_EQ(duel.play_pair(pair), 1.0) << "both play the same two games";
    }
}

TEST(PlanDuel, TheSameNumberIsTheSamePair) {
    PlanDuel duel(side(200), side(40), 9);
    const double first = duel.play_pair(4);
    (void)duel.play_pair(5);
    EXPECT_EQ(duel.play_pair(4), first);
}

TEST(DuelSettings, ChangesAreReadAndUnknownOnesNamed) {
    const auto read = duel_settings({"plan=paper", "width=8"});
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_EQ(read->kind, planner::PlanKind::Paper);
    EXPECT_EQ(read->width, 8);
    EXPECT_NE(duel_settings({"wings=2"}).error().message.find("'wings'"), std::string::npos);
    EXPECT_NE(duel_settings({"plan=deeper"}).error().message.find("'deeper'"), std::string::npos);
    EXPECT_NE(duel_settings({"width=two"}).error().message.find("'two'"), std::string::npos);
}

}  // namespace
}  // namespace solis::lab
