// Tests of planner/deep/plan.h: the weaknesses that the paper's games C and I show, and threads.
#include <gtest/gtest.h>

#include "solis/base/byte_source.h"
#include "solis/chess/movegen.h"
#include "solis/chess/pgn/reader.h"
#include "solis/chess/uci_move.h"
#include "solis/planner/deep/plan.h"
#include "tests/planner/planning.h"

namespace solis::planner {
namespace {

#ifdef SOLIS_SANITIZED
constexpr std::uint64_t kNodes = 3'000;
#else
constexpr std::uint64_t kNodes = 12'000;
#endif

// A game of the paper up to and without the given move of White or Black.
chess::Game paper_game(std::string_view event, int move_number, chess::Color mover) {
    const auto source = open_source(std::string(SOLIS_TEST_FILES) + "/paper_games.pgn");
    chess::PgnReader reader(**source);
    chess::PgnGame pgn;
    while (*reader.next(pgn) == chess::PgnOutcome::Game) {
        if (pgn.tag("Event") == event) break;
    }
    chess::Game game(pgn.start());
    for (std::uint32_t i = chess::first_move(pgn); i != chess::PgnNode::kNone;
         i = pgn.node(i).next) {
        const chess::Position& at = game.position();
        if (at.fullmove_number() == move_number && at.side_to_move() == mover) break;
        game.push(pgn.node(i).move);
    }
    return game;
}

Settings small_settings() {
    Settings settings;
    settings.hash_megabytes = 8;
    return settings;
}

Limits at_most(std::uint64_t nodes) {
    Limits limits;
    limits.nodes = nodes;
    return limits;
}

// Plays on until the rules end the game.
std::optional<chess::Outcome> play_out(chess::Game& game, int most_plies) {
    Planner planner(default_model(), small_settings());
    for (int ply = 0; ply < most_plies; ++ply) {
        if (const auto end = game.outcome(chess::Claims::Counted)) return end;
        game.push(planner.plan(game, at_most(kNodes)).best());
    }
    return std::nullopt;
}

TEST(DeepPlan, WinsGameCInsteadOfRepeating) {
    // Black is about to begin 57. ... Qh7+ 58. Kf3 Qh3+ 59. Ke4 and so on to a draw.
    chess::Game game = paper_game("Game C", 57, chess::Color::Black);
    const auto end = play_out(game, 120);
    ASSERT_TRUE(end);
    EXPECT_EQ(end->reason, chess::Termination::Checkmate);
    EXPECT_EQ(end->winner, chess::Color::Black);
}

TEST(DeepPlan, DoesNotMakeTheThirdRepetitionOfGameC) {
    // Both positions have occurred twice; the draw is one move away.
    const chess::Game game = paper_game("Game C", 61, chess::Color::Black);
    Planner planner(default_model(), small_settings());
    const Plan plan = planner.plan(game, at_most(kNodes));
    chess::Game next = game;
    next.push(plan.best());
    EXPECT_FALSE(next.outcome(chess::Claims::Counted));
    const double p = planner.scale().win_probability(plan.lines.front().value, chess::Color::Black);
    EXPECT_GT(p, 0.7);
}

TEST(DeepPlan, WinsGameIInsteadOfWandering) {
    for (const int move : {46, 54}) {
        chess::Game game = paper_game("Game I", move, chess::Color::White);
        const auto end = play_out(game, 200);
        ASSERT_TRUE(end) << "from move " << move;
        EXPECT_EQ(end->reason, chess::Termination::Checkmate) << "from move " << move;
        EXPECT_EQ(end->winner, chess::Color::White) << "from move " << move;
    }
}

TEST(DeepPlan, SeesTheFiftyMoveRuleComing) {
    // A rook up, but the only moves that do not draw are pawn moves.
    const chess::Game game = game_at("8/8/8/3k4/8/8/P7/R3K3 w - - 99 80");
    Planner planner(default_model(), small_settings());
    const Plan plan = planner.plan(game, at_most(kNodes));
    EXPECT_EQ(chess::type_of(game.position().piece_on(plan.best().from())), chess::PieceType::Pawn);
}

TEST(DeepPlan, AMateOnTheHundredthPlyCounts) {
    const chess::Game game = game_at("7k/8/6K1/8/8/8/8/R7 w - - 99 80");
    Planner planner(default_model(), small_settings());
    EXPECT_EQ(mate_distance(planner.plan(game, at_most(kNodes)).lines.front().value), 1);
}

TEST(DeepPlan, TakesThePerpetualWhereItIsLostOtherwise) {
    // Black is a rook up; White checks for ever on e8 and h5.
    const chess::Game game = game_at("6k1/6p1/8/8/4Q3/7P/r5PK/q7 w - - 0 1");
    Planner planner(default_model(), small_settings());
    const Plan plan = planner.plan(game, at_most(40'000));
    const double p = planner.scale().win_probability(plan.lines.front().value, chess::Color::White);
    EXPECT_GE(p, 0.49);
}

TEST(DeepPlan, FindsTheLadderMate) {
    Planner planner(default_model(), small_settings());
    // Two rooks: 1. Ra7 and the ladder.
    const Plan plan = planner.plan(game_at("8/8/8/5k2/R7/1R6/8/6K1 w - - 0 1"), at_most(300'000));
    const auto mate = mate_distance(plan.lines.front().value);
    ASSERT_TRUE(mate);
    EXPECT_LE(*mate, 5);
    EXPECT_GE(*mate, 3);
}

TEST(DeepPlan, LinesComeBestFirstWhateverThePlanFindsLater) {
    Settings settings = small_settings();
    settings.multipv = 5;
    class Watcher final : public Observer {
      public:
        int infos = 0;

      private:
        void on_info(const Info& info) override {
            ++infos;
            if (info.multipv > 1) {
                EXPECT_LE(info.line.value, last_) << "depth " << info.line.depth;
            }
            last_ = info.line.value;
        }
        Value last_ = 0;
    };
    Watcher watcher;
    for (const char* fen :
         {"rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2",
          "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - -"}) {
        Planner planner(default_model(), settings);
        const Signals signals;
        const Plan plan = planner.plan(game_at(fen), at_most(2 * kNodes), watcher, signals);
        ASSERT_EQ(plan.lines.size(), 5u);
    }
    EXPECT_GE(watcher.infos, 2 * 5 * 3) << "three depths at least, of five lines each";
}

TEST(DeepPlan, LinesKeepTheirOrderWhereverTheSearchEnds) {
    Settings settings = small_settings();
    settings.multipv = 3;
    const char* fen = "rnb1kbnr/pppp1ppp/8/4p3/2B1P3/5Q2/PPPP1PPP/RNB1K1NR b KQkq - 0 1";
    int unfinished = 0;
    for (std::uint64_t nodes = 200; nodes <= 12'000; nodes += 400) {
        Planner planner(default_model(), settings);
        const Plan plan = planner.plan(game_at(fen), at_most(nodes));
        ASSERT_EQ(plan.lines.size(), 3u);
        for (std::size_t i = 0; i < 3; ++i) {
            const Line& line = plan.lines[i];
            const Value above = i > 0 ? plan.lines[i - 1].value : kInfinite;
            EXPECT_LE(line.value, above) << nodes << " nodes";
            EXPECT_GE(line.depth, plan.depth) << nodes << " nodes";
            EXPECT_LE(line.depth, plan.depth + 1) << nodes << " nodes";
            EXPECT_GE(line.selective_depth, line.depth) << nodes << " nodes";
            unfinished += line.depth != plan.lines.front().depth ? 1 : 0;
        }
    }
    EXPECT_GT(unfinished, 0) << "searches that end between the first and the last line";
}

TEST(DeepPlan, LinesHaveAnAnswerWhereTheTableKnowsOne) {
    for (const char* fen :
         {"rnb1kbnr/pppp1ppp/8/4p3/2B1P3/5Q2/PPPP1PPP/RNB1K1NR b KQkq - 0 1",
          "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - -"}) {
        for (std::uint64_t nodes = 2'000; nodes <= 12'000; nodes += 500) {
            Planner planner(default_model(), small_settings());
            const Plan plan = planner.plan(game_at(fen), at_most(nodes));
            EXPECT_GE(plan.lines.front().moves.size(), 2u) << fen << " " << nodes;
            EXPECT_FALSE(plan.ponder().is_none());
        }
    }
}

TEST(DeepPlan, TellsWhatTheLatentScoresAloneWouldChoose) {
    Planner planner(default_model(), small_settings());
    const Plan plan = planner.plan(chess::Game(), at_most(2000));
    double sum = 0;
    for (const RootStatistics& move : plan.root) sum += move.prior;
    EXPECT_NEAR(sum, 1, 1e-9);
    for (const RootStatistics& a : plan.root) {
        for (const RootStatistics& b : plan.root) {
            if (a.latent > b.latent) {
                EXPECT_GT(a.prior, b.prior);
            }
        }
    }
}

TEST(DeepPlan, SaysWhichMoveItLooksAtOnceItTakesLong) {
    class Watcher final : public Observer {
      public:
        std::vector<int> numbers;

      private:
        void on_info(const Info&) override {}
        void on_move(int, chess::Move, int number) override { numbers.push_back(number); }
    };
    for (const int seconds : {0, 2}) {
        Planner planner(default_model(), small_settings());
        Limits limits = at_most(1000);
        limits.clock_source = [now = 0, seconds]() mutable {
            return std::chrono::seconds(now++ == 0 ? 0 : seconds);
        };
        Watcher watcher;
        const Signals signals;
        (void)planner.plan(chess::Game(), limits, watcher, signals);
        if (seconds == 0) {
            EXPECT_TRUE(watcher.numbers.empty());
        } else {
            ASSERT_GT(watcher.numbers.size(), 20u);
            for (int i = 0; i < 20; ++i)
                EXPECT_EQ(watcher.numbers[static_cast<std::size_t>(i)], i + 1);
        }
    }
}

}  // namespace
}  // namespace solis::planner
