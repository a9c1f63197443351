// Tests of planner/child_cache.h.
#include "planner/child_cache.h"

#include <gtest/gtest.h>

#include "tests/planner/planning.h"

namespace solis::planner {
namespace {

TEST(ChildCache, GivesBackTheChildrenAsTheyWereScored) {
    const ValueScale scale(*default_model(), Scoring::Unanchored);
    ChildScorer scorer(*default_model(), scale);
    ChildCache cache;
    // Mates, checks and a stalemate among the children.
    const chess::Position position = *chess::parse_fen("7k/5K2/8/8/8/8/8/1R4Q1 w - - 0 1");
    const chess::MoveList moves = chess::legal_moves(position);
    std::vector<Child> scored, found;
    scorer.score(position, {moves.begin(), moves.end()}, scored);
    EXPECT_FALSE(cache.find(position.key(), {moves.begin(), moves.end()}, found));
    cache.store(position.key(), scored);
    ASSERT_TRUE(cache.find(position.key(), {moves.begin(), moves.end()}, found));
    ASSERT_EQ(found.size(), scored.size());
    for (std::size_t i = 0; i < found.size(); ++i) {
        EXPECT_EQ(found[i].move, scored[i].move);
        EXPECT_EQ(found[i].value, scored[i].value);
        EXPECT_EQ(found[i].finished, scored[i].finished);
        EXPECT_EQ(found[i].check, scored[i].check);
    }
    cache.clear();
    EXPECT_FALSE(cache.find(position.key(), {moves.begin(), moves.end()}, found));
}

}  // namespace
}  // namespace solis::planner
