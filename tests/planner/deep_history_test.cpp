// Tests of planner/deep/history.h.
#include <gtest/gtest.h>

#include "solis/chess/fen.h"
#include "solis/chess/movegen.h"
#include "solis/chess/uci_move.h"
#include "solis/planner/deep/history.h"

namespace solis::planner {
namespace {

const chess::Position& middlegame() {
    static const chess::Position position =
        *chess::parse_fen("r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2QK2R w KQ - 0 8");
    return position;
}

chess::Move move_of(const char* uci) { return *chess::parse_uci(middlegame(), uci); }

TEST(Tendency, StaysWithinItsBoundsAndHalves) {
    Tendency tendency;
    for (int i = 0; i < 1000; ++i) tendency.add(1500);
    EXPECT_LE(tendency.value(), Tendency::kMax);
    EXPECT_GT(tendency.value(), Tendency::kMax * 3 / 4);
    const int most = tendency.value();
    tendency.halve();
    EXPECT_EQ(tendency.value(), most / 2);
    for (int i = 0; i < 1000; ++i) tendency.add(-1500);
    EXPECT_GE(tendency.value(), -Tendency::kMax);
    EXPECT_LT(tendency.value(), -Tendency::kMax * 3 / 4);
}

TEST(MoveHistory, TellsMovesApartAndFades) {
    MoveHistory history;
    history.add(middlegame(), 0, move_of("h2h4"), 1000);
    EXPECT_EQ(history.of(middlegame(), 0, move_of("h2h4")), 1000);
    EXPECT_EQ(history.of(middlegame(), 0, move_of("h2h3")), 0);
    history.fade();
    EXPECT_EQ(history.of(middlegame(), 0, move_of("h2h4")), 500);
}

TEST(MoveHistory, TellsAttackedSquaresFromSafeOnes) {
    MoveHistory history;
    const chess::Bitboard origin = chess::bit(chess::Square::H2),
                          target = chess::bit(chess::Square::H4);
    history.add(middlegame(), origin, move_of("h2h4"), 1000);
    EXPECT_EQ(history.of(middlegame(), origin, move_of("h2h4")), 1000);
    EXPECT_EQ(history.of(middlegame(), 0, move_of("h2h4")), 0);
    EXPECT_EQ(history.of(middlegame(), target, move_of("h2h4")), 0);
    EXPECT_EQ(history.of(middlegame(), origin | target, move_of("h2h4")), 0);
}

TEST(PieceTo, IsDifferentForEveryPieceAndTarget) {
    std::vector<PieceTo> seen;
    for (const chess::Move move : chess::legal_moves(middlegame())) {
        const PieceTo found = piece_to(middlegame(), move);
        EXPECT_LT(found, kPieceTos);
        seen.push_back(found);
    }
    EXPECT_EQ(piece_to(middlegame(), move_of("f3e5")), piece_to(middlegame(), move_of("f3e5")));
    EXPECT_NE(piece_to(middlegame(), move_of("f3e5")), piece_to(middlegame(), move_of("f4e5")));
    EXPECT_NE(piece_to(middlegame(), move_of("f3e5")), piece_to(middlegame(), move_of("f3g5")));
}

TEST(ContinuationHistory, RemembersByTheMoveBeforeAndNothingAfterNone) {
    MoveMemory memory;
    const chess::Move move = move_of("h2h4");
    add_quiet(memory, {7, kNoPieceTo, 9}, middlegame(), move, 1000);
    EXPECT_EQ(quiet_tendency(memory, {7}, middlegame(), move), 2000);
    EXPECT_EQ(quiet_tendency(memory, {kNoPieceTo, 7}, middlegame(), move), 2000);
    EXPECT_EQ(quiet_tendency(memory, {kNoPieceTo, kNoPieceTo, 9}, middlegame(), move), 1500)
        << "what lies four plies back counts half";
    EXPECT_EQ(quiet_tendency(memory, {8}, middlegame(), move), 1000);
    EXPECT_EQ(quiet_tendency(memory, {}, middlegame(), move), 1000);
}

TEST(CaptureHistory, TellsVictimsApart) {
    CaptureHistory captures;
    captures.add(middlegame(), move_of("d4c5"), 700);
    EXPECT_EQ(captures.of(middlegame(), move_of("d4c5")), 700);
    EXPECT_EQ(captures.of(middlegame(), move_of("d3h7")), 0);
    const chess::Position knight =
        *chess::parse_fen("r1bq1rk1/pp2bppp/4pn2/2np4/3P1B2/2PBPN2/PP1N1PPP/R2QK2R w KQ - 0 8");
    EXPECT_EQ(captures.of(knight, *chess::parse_uci(knight, "d4c5")), 0);
}

TEST(CaptureGains, AreLearnedForEachKindApart) {
    CaptureGains gains;
    const chess::Move capture = move_of("d3h7");
    gains.learn(CaptureGains::kind(middlegame(), capture, true), 1600);
    EXPECT_EQ(gains.of(CaptureGains::kind(middlegame(), capture, true)), 100);
    EXPECT_EQ(gains.of(CaptureGains::kind(middlegame(), capture, false)), 0) << "loses nothing";
    EXPECT_EQ(gains.of(CaptureGains::kind(middlegame(), move_of("d4c5"), true)), 0)
        << "another piece";
    for (int i = 0; i < 500; ++i) {
        gains.learn(CaptureGains::kind(middlegame(), capture, true), 1600);
    }
    EXPECT_NEAR(gains.of(CaptureGains::kind(middlegame(), capture, true)), 1600, 20);
}

}  // namespace
}  // namespace solis::planner
