// Tests of planner/child_scorer.h and planner/score_cache.h.
#include "solis/planner/child_scorer.h"

#include <gtest/gtest.h>

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

TEST(ChildScorer, KnowsCachedChildrenWithoutEmbeddingThemAgain) {
    const ValueScale scale(*default_model(), Scoring::Unanchored);
    ScoreCache cache;
    ChildScorer plain(*default_model(), scale);
    ChildScorer caching(*default_model(), scale, 0, &cache);
    for (const char* fen : kScoredPositions) {
        const chess::Position position = *chess::parse_fen(fen);
        const chess::MoveList moves = chess::legal_moves(position);
        std::vector<Child> expected, first, second;
        plain.score(position, {moves.begin(), moves.end()}, expected);
        caching.score(position, {moves.begin(), moves.end()}, first);
        const std::uint64_t embedded = caching.embedded();
        caching.score(position, {moves.begin(), moves.end()}, second);
        EXPECT_EQ(caching.embedded(), embedded);
        expect_same(first, expected);
        expect_same(second, expected);
    }
}

TEST(ChildScorer, EmbedsOnlyTheUnknownOnesOfAMixedList) {
    const ValueScale scale(*default_model(), Scoring::Unanchored);
    ScoreCache cache;
    ChildScorer plain(*default_model(), scale);
    ChildScorer caching(*default_model(), scale, 0, &cache);
    const chess::Position position = *chess::parse_fen(kScoredPositions[0]);
    const chess::MoveList moves = chess::legal_moves(position);
    std::vector<Child> expected, some, all;
    plain.score(position, {moves.begin(), moves.end()}, expected);
    for (std::size_t i = 0; i < moves.size(); i += 3)
        caching.append(position, {&moves.begin()[i], 1}, some);
    const std::uint64_t before = caching.embedded();
    caching.score(position, {moves.begin(), moves.end()}, all);
    expect_same(all, expected);
    EXPECT_GT(before, 0u);
    EXPECT_EQ(caching.embedded(), plain.embedded());
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

TEST(ScoreCache, GivesNothingForAKeyThatOnlySharesTheSlot) {
    ScoreCache cache;
    cache.store(5, {-31'999, true, true});
    EXPECT_FALSE(cache.find(5 + (std::uint64_t{1} << 40)));
    ASSERT_TRUE(cache.find(5));
    EXPECT_EQ(cache.find(5)->value, -31'999);
    EXPECT_TRUE(cache.find(5)->finished);
    EXPECT_TRUE(cache.find(5)->check);
}

}  // namespace
}  // namespace solis::planner
