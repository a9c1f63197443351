// Tests of planner/child_scorer.h and planner/deep/node_scorer.h.
#include "solis/planner/child_scorer.h"

#include <gtest/gtest.h>

#include "solis/planner/deep/node_scorer.h"
#include "tests/planner/planning.h"

namespace solis::planner {
namespace {

void expect_same(const std::vector<Child>& found, const std::vector<Child>& expected) {
    ASSERT_EQ(found.size(), expected.size());
    for (std::size_t i = 0; i < found.size(); ++i) {
        EXPECT_EQ(found[i].move, expected[i].move);
        EXPECT_EQ(found[i].value, expected[i].value);
        EXPECT_EQ(found[i].finished, expected[i].finished);
        EXPECT_EQ(found[i].check, expected[i].check);
    }
}

// The first has mates, checks and a stalemate among its children.
const char* const kScoredPositions[] = {
    "7k/5K2/8/8/8/8/8/1R4Q1 w - - 0 1",
    "r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2QK2R w KQ - 0 8",
    "8/5pk1/4p1p1/3pP2p/1R1P3P/5PP1/r4K2/8 w - - 0 40",
};

TEST(NodeScorer, SaysWhatTheScorerOfChildrenSaysAndEmbedsEveryPositionOnce) {
    const ValueScale scale(*default_model(), Scoring::Unanchored);
    const LogOdds log_odds(*default_model());
    const auto evaluator = default_model()->make_evaluator();
    LatentCache cache;
    NodeScorer nodes(*default_model(), *evaluator, scale, log_odds, 100, cache);
    ChildScorer children(*default_model(), scale, 100);
    for (const char* fen : kScoredPositions) {
        const chess::Position position = *chess::parse_fen(fen);
        const Value expected =
            log_odds.from_plan(children.score(position), scale.draw(position.side_to_move()));
        const std::uint64_t before = nodes.embedded();
        EXPECT_EQ(nodes.score(position, nodes.key_of(position)), expected) << fen;
        EXPECT_EQ(nodes.score(position, nodes.key_of(position)), expected) << fen;
        EXPECT_EQ(nodes.embedded(), before + 1);
    }
}

TEST(ChildScorer, AppendsBehindWhatIsThere) {
    const ValueScale scale(*default_model(), Scoring::Unanchored);
    ChildScorer scorer(*default_model(), scale);
    const chess::Position position = *chess::parse_fen(kScoredPositions[1]);
    const chess::MoveList moves = chess::legal_moves(position);
    std::vector<Child> expected, appended;
    scorer.score(position, {moves.begin(), moves.end()}, expected);
    scorer.append(position, {moves.begin(), 5}, appended);
    scorer.append(position, {moves.begin() + 5, moves.size() - 5}, appended);
    expect_same(appended, expected);
}

TEST(LatentCache, GivesNothingForAKeyThatOnlySharesTheSlot) {
    LatentCache cache;
    cache.store(5, -31'999);
    EXPECT_FALSE(cache.find(5 + (std::uint64_t{1} << 40)));
    ASSERT_TRUE(cache.find(5));
    EXPECT_EQ(*cache.find(5), -31'999);
    cache.clear();
    EXPECT_FALSE(cache.find(5 + (std::uint64_t{1} << 40)));
}

}  // namespace
}  // namespace solis::planner
