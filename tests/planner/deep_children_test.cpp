// Tests of planner/deep/children.h.
#include <algorithm>

#include <gtest/gtest.h>

#include "solis/chess/uci_move.h"
#include "solis/planner/deep/children.h"
#include "solis/planner/deep/exchange_order.h"
#include "tests/planner/planning.h"

namespace solis::planner {
namespace {

const char* const kMiddlegame =
    "r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2QK2R w KQ - 0 8";

class ChildStreamTest : public ::testing::Test {
  protected:
    ChildStream stream(chess::Move table_move, bool lazy) {
        return {{position_, latent_, table_move, lazy}, children_, scorer_, memory_, tuning_};
    }
    [[nodiscard]] bool is_quiet_child(const Child& child) const {
        return is_quiet(position_, child.move);
    }
    chess::Move move(std::string_view uci) const { return *chess::parse_uci(position_, uci); }

    chess::Position position_ = *chess::parse_fen(kMiddlegame);
    ValueScale scale_{*default_model(), Scoring::Unanchored};
    ChildScorer scorer_{*default_model(), scale_};
    Value latent_ = scorer_.score(position_);
    MoveMemory memory_;
    DeepTuning tuning_;
    std::vector<Child> children_;
};

TEST_F(ChildStreamTest, GivesEveryLegalMoveOnceInBothModes) {
    for (const bool lazy : {false, true}) {
        ChildStream all = stream(move("d2b3"), lazy);
        while (all.more()) {
        }
        const chess::MoveList legal = chess::legal_moves(position_);
        ASSERT_EQ(children_.size(), legal.size());
        for (const chess::Move wanted : legal) {
            EXPECT_EQ(std::count_if(children_.begin(), children_.end(),
                                    [&](const Child& child) { return child.move == wanted; }),
                      1);
        }
    }
}

TEST_F(ChildStreamTest, EmbedsTheTablesMoveAloneFirst) {
    for (const bool lazy : {false, true}) {
        const std::uint64_t before = scorer_.embedded();
        ChildStream groups = stream(move("d2b3"), lazy);
        ASSERT_TRUE(groups.more());
        ASSERT_EQ(children_.size(), 1u);
        EXPECT_EQ(children_[0].move, move("d2b3"));
        EXPECT_EQ(scorer_.embedded() - before, 1u);
    }
}

TEST_F(ChildStreamTest, LeavesOutATableMoveThatIsNotLegalHere) {
    ChildStream groups = stream(chess::Move(chess::Square::A1, chess::Square::H8), false);
    ASSERT_TRUE(groups.more());
    EXPECT_EQ(children_.size(), chess::legal_moves(position_).size());
}

TEST_F(ChildStreamTest, FarFromLeavesRanksAllByLatentValue) {
    ChildStream groups = stream({}, false);
    ASSERT_TRUE(groups.more());
    EXPECT_FALSE(groups.more());
    EXPECT_TRUE(std::is_sorted(children_.begin(), children_.end(),
                               [](const Child& a, const Child& b) { return a.value > b.value; }));
}

TEST_F(ChildStreamTest, NearLeavesEmbedsCapturesBeforeQuietMovesAndLosingOnesLast) {
    std::size_t good = 0, losing = 0;
    for (const chess::Move capture : chess::legal_captures(position_)) {
        ++(loses_exchange(position_, capture) ? losing : good);
    }
    ASSERT_GT(good, 0u);
    ASSERT_GT(losing, 0u);
    ChildStream groups = stream({}, true);
    ASSERT_TRUE(groups.more());
    EXPECT_EQ(children_.size(), good);
    for (const Child& child : children_) EXPECT_FALSE(is_quiet_child(child));
    EXPECT_TRUE(groups.expected_gain());
    ASSERT_TRUE(groups.more());
    EXPECT_TRUE(is_quiet_child(children_.back()));
    groups.skip_quiet();
    EXPECT_TRUE(groups.losing_capture_is_next());
    const std::size_t before = children_.size();
    ASSERT_TRUE(groups.more());
    EXPECT_EQ(children_.size() - before, losing);
    EXPECT_FALSE(groups.more());
}

TEST_F(ChildStreamTest, ContinuationsAndKillersChangeTheOrderOfQuietMoves) {
    const PieceTo last = 5;
    memory_.continuations.add(last, piece_to(position_, move("h2h4")), 4000);
    tuning_.group = 1;
    ChildStream after({position_, latent_, {}, true, false, {last, kNoPieceTo}}, children_, scorer_,
                      memory_, tuning_);
    ASSERT_TRUE(after.more());
    ASSERT_TRUE(after.more());
    EXPECT_EQ(children_.back().move, move("h2h4"));
    MoveMemory nothing;
    ChildStream killer({position_, latent_, {}, true, false, {}, {move("a2a4"), {}}}, children_,
                       scorer_, nothing, tuning_);
    ASSERT_TRUE(killer.more());
    ASSERT_TRUE(killer.more());
    EXPECT_EQ(children_.back().move, move("a2a4"));
}

TEST_F(ChildStreamTest, NearLeavesBeginsWithTheQuietMoveOfTheBestHistory) {
    memory_.history.add(position_, move("h2h4"), 1000);
    tuning_.group = 1;
    ChildStream groups = stream({}, true);
    ASSERT_TRUE(groups.more());
    ASSERT_TRUE(groups.more());
    EXPECT_EQ(children_.back().move, move("h2h4"));
}

TEST_F(ChildStreamTest, ExpectsQuietMovesToGainWhatTheyGainedBefore) {
    tuning_.group = 1;
    std::vector<Value> quiet;  // as embedded
    ChildStream first = stream({}, true);
    EXPECT_FALSE(first.expected_gain());  // captures come first
    while (first.more()) {
        if (is_quiet_child(children_.back())) quiet.push_back(children_.back().value);
    }
    for (int i = 0; i < 200; ++i) {
        ChildStream again = stream({}, true);
        while (again.more()) {
        }
    }
    // Now each is expected to gain what it gains here, so they come best first.
    ChildStream learned = stream({}, true);
    ASSERT_TRUE(learned.more());
    std::sort(quiet.rbegin(), quiet.rend());
    for (const Value value : quiet) {
        ASSERT_TRUE(learned.expected_gain());
        EXPECT_NEAR(*learned.expected_gain(), value - latent_, 20);
        ASSERT_TRUE(learned.more());
    }
    EXPECT_FALSE(learned.expected_gain());
}

}  // namespace
}  // namespace solis::planner
