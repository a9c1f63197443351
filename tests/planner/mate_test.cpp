// Mates in two and three that people know, among them some whose key is a quiet move.
#include <array>

#include <gtest/gtest.h>

#include "solis/chess/movegen.h"
#include "solis/chess/rules.h"
#include "solis/chess/uci_move.h"
#include "tests/planner/planning.h"

namespace solis::planner {
namespace {

struct MateProblem {
    int moves;
    const char* fen;
    const char* key;  // the only first move that mates in time
    // The key waits for zugzwang: a pass would refute it, which ends the look of a plan that was
    // not asked for a mate.
    bool waits = false;
};

constexpr std::array kProblems{
    MateProblem{2, "kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", "a1a6", true},
    MateProblem{2, "r1bq2r1/b4pk1/p1pp1p2/1p2pP2/1P2P1PB/3P4/1PPQ2P1/R3K2R w KQ - 0 1", "d2h6"},
    MateProblem{2, "r2qkb1r/pp2nppp/3p4/2pNN1B1/2BnP3/3P4/PPP2PPP/R2bK2R w KQkq - 1 1", "d5f6"},
    MateProblem{2, "1rb4r/pkPp3p/1b1P3n/1Q6/N3Pp2/8/P1P3PP/7K w - - 1 1", "b5d5"},
    MateProblem{2, "4kb1r/p2n1ppp/4q3/4p1B1/4P3/1Q6/PPP2PPP/2KR4 w k - 1 1", "b3b8"},
    MateProblem{2, "r1b2k1r/ppp1bppp/8/1B1Q4/5q2/2P5/PPP2PPP/R3R1K1 w - - 1 1", "d5d8"},
    MateProblem{2, "5rkr/pp2Rp2/1b1p1Pb1/3P2Q1/2n3P1/2p5/P4P2/4R1K1 w - - 1 1", "g5g6"},
    MateProblem{2, "1r1kr3/Nbppn1pp/1b6/8/6Q1/3B1P2/Pq3P1P/3RR1K1 w - - 1 1", "g4d7"},
    MateProblem{2, "7k/8/5K2/8/8/8/8/6R1 w - - 0 1", "f6f7"},
    MateProblem{3, "r1b1kb1r/pppp1ppp/5q2/4n3/3KP3/2N3PN/PPP4P/R1BQ1B1R b kq - 0 1", "f8c5"},
    MateProblem{3, "r3k2r/ppp2Npp/1b5n/4p2b/2B1P2q/BQP2P2/P5PP/RN5K w kq - 1 1", "c4b5"},
    MateProblem{3, "r1b3kr/ppp1Bp1p/1b6/n2P4/2p3q1/2Q2N2/P4PPP/RN2R1K1 w - - 1 1", "c3h8"},
    MateProblem{3, "r2n1rk1/1ppb2pp/1p1p4/3Ppq1n/2B3P1/2P4P/PP1N1P1K/R2Q1RN1 b - - 0 1", "f5f2"},
    MateProblem{3, "3q1r1k/2p4p/1p1pBrp1/p2Pp3/2PnP3/5PP1/PP1Q2K1/5R1R w - - 1 1", "h1h7"},
    MateProblem{3, "6k1/ppp2ppp/8/2n2K1P/2P2P1P/2Bpr3/PP4r1/4RR2 b - - 0 1", "g7g6"},
    MateProblem{3, "rn3rk1/p5pp/2p5/3Ppb2/2q5/1Q6/PPPB2PP/R3K1NR b - - 0 1", "c4f1"},
};

void expect_mate(const MateProblem& problem, const Limits& limits) {
    const chess::Game game = game_at(problem.fen);
    Settings settings;
    settings.hash_megabytes = 8;
    Planner planner(default_model(), settings);
    const Plan plan = planner.plan(game, limits);
    EXPECT_EQ(chess::to_uci(game.position(), plan.best(), chess::CastlingNotation::Automatic),
              problem.key)
        << problem.fen;
    EXPECT_EQ(mate_distance(plan.lines.front().value), problem.moves) << problem.fen;
    // The line ends with the mate.
    chess::Game played = game;
    for (const chess::Move move : plan.lines.front().moves) played.push(move);
    const auto end = played.outcome(chess::Claims::Counted);
    ASSERT_TRUE(end) << problem.fen;
    EXPECT_EQ(end->reason, chess::Termination::Checkmate) << problem.fen;
    EXPECT_EQ(played.moves().size(), static_cast<std::size_t>(2 * problem.moves - 1))
        << problem.fen;
}

TEST(Mates, AreFoundWhereOneIsAskedFor) {
    for (const MateProblem& problem : kProblems) {
        Limits limits;
        limits.mate = problem.moves;
        limits.nodes = 3'000'000;  // where it is not found
        expect_mate(problem, limits);
    }
}

TEST(Mates, AreFoundByDeepening) {
    for (const MateProblem& problem : kProblems) {
        if (problem.waits) continue;
        Limits limits;
        limits.depth = 12;
        expect_mate(problem, limits);
    }
}

bool mates_in_one(const chess::Position& position) {
    for (const chess::Move move : chess::legal_moves(position)) {
        const chess::Position next = position.after(move);
        if (next.in_check() && !chess::has_legal_move(next)) return true;
    }
    return false;
}

TEST(Mates, AreDelayedForAsLongAsPossible) {
    int choices = 0;
    for (const MateProblem& problem : kProblems) {
        if (problem.moves != 3) continue;
        chess::Game game = game_at(problem.fen);
        game.push(*chess::parse_uci(game.position(), problem.key));
        // One of the answers lasts two more moves; those after which there is a mate in one do not.
        int quick = 0;
        for (const chess::Move answer : chess::legal_moves(game.position())) {
            quick += mates_in_one(game.position().after(answer)) ? 1 : 0;
        }
        choices += quick > 0 ? 1 : 0;
        Settings settings;
        settings.hash_megabytes = 8;
        Planner planner(default_model(), settings);
        Limits limits;
        limits.depth = 10;
        const Plan plan = planner.plan(game, limits);
        EXPECT_EQ(mate_distance(plan.lines.front().value), -2) << problem.fen;
        EXPECT_FALSE(mates_in_one(game.position().after(plan.best()))) << problem.fen;
    }
    EXPECT_GE(choices, 3) << "problems in which a wrong answer loses faster";
}

}  // namespace
}  // namespace solis::planner
