// Tests of planner/deep/move_picker.h and planner/deep/checks.h.
#include "solis/planner/deep/move_picker.h"

#include <algorithm>
#include <memory>
#include <vector>

#include <gtest/gtest.h>

#include "solis/base/rng.h"
#include "solis/chess/fen.h"
#include "solis/chess/random_positions.h"
#include "solis/chess/uci_move.h"
#include "solis/planner/deep/checks.h"
#include "solis/planner/deep/exchange_order.h"

namespace solis::planner {
namespace {

const char* const kMiddlegame =
    "r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2QK2R w KQ - 0 8";

class MovePickerTest : public ::testing::Test {
  protected:
    std::vector<MovePicker::Choice> all(const MovePicker::Parent& parent) {
        MovePicker picker(parent, *memory_);
        std::vector<MovePicker::Choice> found;
        for (MovePicker::Choice choice; picker.next(choice);) found.push_back(choice);
        return found;
    }
    chess::Move move(std::string_view uci) const { return *chess::parse_uci(position_, uci); }
    static chess::Move first_quiet(const std::vector<MovePicker::Choice>& found) {
        return std::find_if(found.begin(), found.end(), [](const auto& c) { return c.quiet; })
            ->move;
    }

    chess::Position position_ = *chess::parse_fen(kMiddlegame);
    std::unique_ptr<MoveMemory> memory_ = std::make_unique<MoveMemory>();
};

TEST_F(MovePickerTest, GivesEveryLegalMoveOnceWhateverTheSettings) {
    Rng rng(Seed{5});
    for (int i = 0; i < 300; ++i) {
        const chess::Game game = chess::random_opening(2 + i % 60, rng);
        const chess::Position& position = game.position();
        const chess::MoveList legal = chess::legal_moves(position);
        if (legal.empty()) continue;
        for (const chess::Move table_move : {chess::Move(), legal[legal.size() / 2]}) {
            const auto found = all(
                {.position = position, .table_move = table_move, .in_check = position.in_check()});
            ASSERT_EQ(found.size(), legal.size());
            for (const chess::Move wanted : legal) {
                EXPECT_EQ(std::count_if(found.begin(), found.end(),
                                        [&](const auto& c) { return c.move == wanted; }),
                          1);
            }
            EXPECT_TRUE(table_move.is_none() || found.front().move == table_move);
        }
    }
}

TEST_F(MovePickerTest, LeavesOutATableMoveThatIsNotLegalHere) {
    const auto found =
        all({.position = position_, .table_move = {chess::Square::A1, chess::Square::H8}});
    EXPECT_EQ(found.size(), chess::legal_moves(position_).size());
}

TEST_F(MovePickerTest, ComesWithGoodCapturesThenQuietMovesThenLosingCaptures) {
    const auto found = all({.position = position_});
    const auto stage = [](const MovePicker::Choice& c) { return c.quiet ? 1 : c.losing ? 2 : 0; };
    EXPECT_TRUE(std::is_sorted(found.begin(), found.end(),
                               [&](const auto& a, const auto& b) { return stage(a) < stage(b); }));
    EXPECT_EQ(stage(found.front()), 0);
    EXPECT_EQ(stage(found.back()), 2);
    for (const MovePicker::Choice& choice : found) {
        EXPECT_EQ(choice.quiet, is_quiet(position_, choice.move));
        EXPECT_EQ(choice.losing, !choice.quiet && loses_exchange(position_, choice.move));
    }
}

TEST_F(MovePickerTest, ForQuiescenceGivesCapturesThatLoseNothingAndAllEvasions) {
    for (const MovePicker::Choice& choice : all({.position = position_, .captures_only = true})) {
        EXPECT_FALSE(choice.quiet);
        EXPECT_FALSE(choice.losing);
    }
    const chess::Position evade = *chess::parse_fen("4k3/8/8/8/1b6/8/4PP2/3QKBN1 w - - 0 1");
    ASSERT_TRUE(evade.in_check());
    EXPECT_EQ(all({.position = evade, .in_check = true, .captures_only = true}).size(),
              chess::legal_moves(evade).size());
}

TEST_F(MovePickerTest, QuietMovesCanBeLeftOutAtAnyMoment) {
    MovePicker picker({.position = position_}, *memory_);
    MovePicker::Choice choice;
    while (picker.next(choice) && !choice.quiet) {
    }
    ASSERT_TRUE(choice.quiet);
    picker.skip_quiet();
    int losing = 0;
    while (picker.next(choice)) {
        EXPECT_TRUE(choice.losing);
        ++losing;
    }
    EXPECT_GT(losing, 0);
}

TEST_F(MovePickerTest, HistoriesAndKillersChangeTheOrderOfQuietMoves) {
    const PieceTo last = 5;
    const auto usual = all({.position = position_});
    ASSERT_NE(first_quiet(usual), move("h2h4"));
    memory_->continuations.add(last, piece_to(position_, move("h2h4")), 8000);
    EXPECT_EQ(first_quiet(all({.position = position_, .context = {last}})), move("h2h4"));
    EXPECT_EQ(first_quiet(all({.position = position_})), first_quiet(usual));
    EXPECT_EQ(first_quiet(all({.position = position_, .killers = {move("a2a4"), {}}})),
              move("a2a4"));
}

TEST(CheckSquares, KnowChecksBeforeTheyAreGiven) {
    Rng rng(Seed{8});
    int checks = 0;
    for (int i = 0; i < 1500; ++i) {
        const chess::Game game = chess::random_opening(4 + i % 80, rng);
        const chess::Position& position = game.position();
        const CheckSquares squares(position);
        for (const chess::Move move : chess::legal_moves(position)) {
            const bool check = position.after(move).in_check();
            ASSERT_EQ(squares.gives_check(position, move), check)
                << chess::to_fen(position) << " " << chess::to_uci(position, move);
            checks += check ? 1 : 0;
        }
    }
    EXPECT_GT(checks, 500);
    // Discovered by a piece that moves along no line to the king, and by castling.
    for (const auto& [fen, uci] : {std::pair("4k3/8/8/8/8/4N3/8/4RK2 w - - 0 1", "e3c4"),
                                   std::pair("5k2/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1")}) {
        const chess::Position position = *chess::parse_fen(fen);
        EXPECT_TRUE(CheckSquares(position).gives_check(position, *chess::parse_uci(position, uci)))
            << fen;
    }
}

}  // namespace
}  // namespace solis::planner
