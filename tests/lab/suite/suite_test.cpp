// Suites: reading them, and what counts as solved.
#include "solis/lab/suite/suite.h"

#include <gtest/gtest.h>

#include "solis/chess/uci_move.h"
#include "solis/engine/client/find_engine.h"
#include "solis/lab/suite/suite_report.h"

namespace solis::lab {
namespace {

constexpr const char* kHeading =
    "PuzzleId,FEN,Moves,Rating,RatingDeviation,Popularity,NbPlays,Themes,GameUrl\n";

Result<Suite> suite_of(std::string_view text, const std::string& name = "test.epd") {
    return read_suite(name, memory_source(text), 0);
}

PlayerSpec fake(std::vector<std::string> arguments) {
    PlayerSpec player;
    player.name = "fake";
    player.program = SOLIS_FAKE_ENGINE;
    player.arguments = std::move(arguments);
    player.limits.nodes = 100;
    return player;
}

std::vector<Attempt> attempts_of(const Suite& suite, const PlayerSpec& player, int processes = 1) {
    SolveOptions options;
    options.processes = processes;
    options.search_timeout = std::chrono::milliseconds(60'000);
    auto attempts = solve_all(suite, player, *to_engine(player, {}), options, {});
    EXPECT_TRUE(attempts) << attempts.error().message;
    return attempts.value_or(std::vector<Attempt>());
}

TEST(Suite, ReadsEveryKindOfEpd) {
    const auto suite = suite_of(
        "# a comment\n"
        "6k1/5ppp/8/8/8/8/8/K3R3 w - - bm Re8#; id \"one\";\n"
        "6k1/5ppp/8/8/8/8/8/K3R3 w - - dm 1;\n"
        "6k1/5ppp/8/8/8/8/8/K3R3 w - - am Ka2;\n"
        "7k/P7/8/8/8/8/8/K7 w - - c0 \"a8=Q=10, a8=R=9, Kb2=1\"; bm a8=Q; id \"sts\";\n"
        "6k1/5ppp/8/8/8/8/8/K3R3 w - - bm Re8; c8 \"10 3\"; c9 \"e1e8 a1a2\";\n"
        "6k1/5ppp/8/8/8/8/8/K3R3 w - - id \"nothing to solve\";\n"
        "6k1/5ppp/8/8/8/8/8/K3R3 w - - bm Qh8;\n"
        "nonsense\n");
    ASSERT_TRUE(suite) << suite.error().message;
    ASSERT_EQ(suite->problems.size(), 5u);
    EXPECT_EQ(suite->report.bad_rows, 3u);
    EXPECT_EQ(suite->problems[0].id, "one");
    EXPECT_EQ(suite->problems[1].kind, ProblemKind::Mate);
    EXPECT_EQ(suite->problems[2].avoid.size(), 1u);
    EXPECT_EQ(suite->problems[3].kind, ProblemKind::Points);
    EXPECT_EQ(suite->problems[3].points.size(), 3u);
    EXPECT_EQ(suite->problems[3].max_points(), 10);
    EXPECT_EQ(suite->problems[4].points.size(), 2u);
    EXPECT_FALSE(suite_of("# nothing\n"));
}

TEST(Suite, ReadsMatesAsMateSuitesWriteThem) {
    const auto suite = suite_of(
        "r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - bm #3;\n"
        "7k/5Q2/8/6K1/8/8/8/8 b - - bm #-2;\n"
        "6k1/5ppp/8/8/8/8/8/K3R3 w - - bm #0;\n"
        "6k1/5ppp/8/8/8/8/8/K3R3 w - - bm #x;\n");
    ASSERT_TRUE(suite) << suite.error().message;
    ASSERT_EQ(suite->problems.size(), 2u);
    EXPECT_EQ(suite->report.bad_rows, 2u);
    EXPECT_EQ(suite->problems[0].kind, ProblemKind::Mate);
    EXPECT_EQ(suite->problems[0].mate_in, 3);
    EXPECT_EQ(suite->problems[1].kind, ProblemKind::Mate);
    EXPECT_EQ(suite->problems[1].mate_in, -2);
}

TEST(Suite, ReadsPuzzlesWithRatingAndThemes) {
    const std::string text = std::string(kHeading) +
                             "x1,6k1/5ppp/8/8/8/7P/8/R5K1 b - - 0 1,h7h6 a1a8,1234,80,90,100,mate "
                             "mateIn1,u\n"
                             "x2,6k1/5ppp/8/8/8/7P/8/R5K1 b - - 0 1,h7h6,1234,80,90,100,mate,u\n"
                             "x3,6k1/5ppp/8/8/8/7P/8/R5K1 b - - 0 1,h7h1,1,1,1,1,mate,u\n";
    for (const char* name : {"p.csv", "without-a-hint"}) {
        const auto suite = suite_of(text, name);
        ASSERT_TRUE(suite) << suite.error().message;
        ASSERT_EQ(suite->problems.size(), 1u);
        EXPECT_EQ(suite->report.bad_rows, 2u) << "no answer, illegal";
        EXPECT_EQ(suite->problems[0].rating, 1234);
        EXPECT_EQ(suite->problems[0].themes, (std::vector<std::string>{"mate", "mateIn1"}));
    }
}

// The fake engine plays the first legal move, whatever that is: the suite is built around it.
TEST(Solver, ComparesTheMoveWithTheAnswer) {
    const auto probe = suite_of("6k1/5ppp/8/8/8/8/8/K3R3 w - - bm Re8;\n");
    const std::string move = attempts_of(*probe, fake({"normal"}))[0].played;
    const chess::Position position = probe->problems[0].position;
    const chess::Move played = *chess::parse_uci(position, move);
    Suite suite = *probe;
    Problem empty;
    empty.position = position;
    suite.problems.assign(5, empty);
    suite.problems[0].best = {played};
    suite.problems[1].avoid = {played};
    suite.problems[2].best = {*chess::parse_uci(position, "e1e8")};
    suite.problems[3].kind = ProblemKind::Points;
    suite.problems[3].points = {{*chess::parse_uci(position, "e1e8"), 10}, {played, 4}};
    suite.problems[4].avoid = {*chess::parse_uci(position, "e1e8")};
    ASSERT_NE(move, "e1e8");
    const auto attempts = attempts_of(suite, fake({"normal"}), 2);
    EXPECT_TRUE(attempts[0].solved);
    EXPECT_FALSE(attempts[1].solved);
    EXPECT_FALSE(attempts[2].solved);
    EXPECT_FALSE(attempts[3].solved);
    EXPECT_EQ(attempts[3].points, 4);
    EXPECT_TRUE(attempts[4].solved);
    const SuiteReport report = make_report(suite, fake({"normal"}), attempts);
    EXPECT_EQ(report.total.solved, 2u);
    EXPECT_EQ(report.total.points, 6);
    EXPECT_EQ(report.total.max_points, 14);
}

TEST(Solver, EngineFaultsCountAsFailedAndTheRunGoesOn) {
    std::string text;
    for (int i = 0; i < 6; ++i) text += "6k1/5ppp/8/8/8/8/8/K3R3 w - - am Re8;\n";
    const auto suite = suite_of(text);
    // Crashes in the third search of every process.
    const auto attempts = attempts_of(*suite, fake({"crash", "3"}));
    ASSERT_EQ(attempts.size(), 6u);
    const SuiteReport report = make_report(*suite, fake({"crash", "3"}), attempts);
    EXPECT_EQ(report.faults, 2u);
    EXPECT_EQ(report.total.solved, 4u);
}

TEST(Solver, AnInterruptKeepsWhatWasAnswered) {
    std::string text;
    for (int i = 0; i < 50; ++i) text += "6k1/5ppp/8/8/8/8/8/K3R3 w - - am Re8;\n";
    const auto suite = suite_of(text);
    const PlayerSpec player = fake({"stall", "8"});
    std::size_t done = 0;
    SolveHooks hooks;
    hooks.progress = [&](std::size_t count) { done = count; };
    hooks.interrupted = [&] { return done >= 7; };
    const auto attempts = solve_all(*suite, player, *to_engine(player, {}), {}, hooks);
    ASSERT_TRUE(attempts) << attempts.error().message;
    const SuiteReport report = make_report(*suite, player, *attempts);
    EXPECT_EQ(report.total.problems, 7u) << "the eighth search never ends";
    EXPECT_EQ(report.total.solved, 7u);
    EXPECT_EQ(report.faults, 0u) << "being interrupted is no fault";
}

TEST(SuiteReport, FiguresOfFewProblemsSaySo) {
    const auto table_of = [](std::uint64_t problems, std::uint64_t in_theme) {
        SuiteReport report;
        report.total = {"all", problems, problems / 2, 0, 0};
        report.themes = {{"fork", in_theme, 1, 0, 0}};
        return suite_table(std::span(&report, 1));
    };
    EXPECT_NE(table_of(9, 9).find("Only 9 problems: another 9 could give 1"), std::string::npos)
        << table_of(9, 9);
    EXPECT_NE(table_of(500, 9).find("fewer than 100 problems"), std::string::npos);
    EXPECT_EQ(table_of(500, 200).find("problems may"), std::string::npos);
    EXPECT_EQ(table_of(500, 200).find("Only"), std::string::npos);
}

TEST(Solver, ClocksAreNoLimit) {
    PlayerSpec player = fake({"normal"});
    player.limits = {};
    EXPECT_FALSE(solve_all(*suite_of("6k1/5ppp/8/8/8/8/8/K3R3 w - - am Re8;\n"), player,
                           *to_engine(player, {}), {}, {}));
    player.limits.clock = ClockControl{std::chrono::milliseconds(1000), {}, 0};
    EXPECT_FALSE(solve_all(*suite_of("6k1/5ppp/8/8/8/8/8/K3R3 w - - am Re8;\n"), player,
                           *to_engine(player, {}), {}, {}));
}

class WithStockfish : public testing::Test {
  protected:
    void SetUp() override {
        const auto path = engine::find_stockfish();
        if (!path) GTEST_SKIP() << path.error().message;
        player_.name = player_.program = "stockfish";
        player_.options = {{"Hash", "1"}};
        player_.limits.nodes = 5000;
    }
    PlayerSpec player_;
};

TEST_F(WithStockfish, FindsMatesAndShowsThem) {
    const auto suite = suite_of(
        "6k1/5ppp/8/8/8/8/8/K3R3 w - - dm 1;\n"
        "r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - dm 3;\n"
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - dm 3;\n"
        "r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - bm #3;\n"
        "6k1/4Rppp/8/8/8/8/8/K3R3 b - - bm #-1;\n");
    const auto attempts = attempts_of(*suite, player_);
    ASSERT_EQ(attempts.size(), 5u);
    EXPECT_TRUE(attempts[3].solved && attempts[3].proved);
    EXPECT_FALSE(attempts[4].solved) << "it is mated in more than one";
    EXPECT_TRUE(attempts[0].solved && attempts[0].proved);
    EXPECT_TRUE(attempts[1].solved && attempts[1].proved);
    EXPECT_FALSE(attempts[2].solved) << "no mate in three from the start";
}

TEST_F(WithStockfish, AnotherMateSolvesAPuzzleAndABadMoveDoesNot) {
    // Two mates in one; the line has only one of them, whichever Stockfish prefers.
    const std::string text =
        std::string(kHeading) +
        "a,6k1/5ppp/8/8/8/7P/8/RQ4K1 b - - 0 1,h7h6 a1a8,1000,1,1,1,mate,u\n"
        "b,6k1/5ppp/8/8/8/7P/8/RQ4K1 b - - 0 1,h7h6 b1b8,1000,1,1,1,mate,u\n"
        "c,rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1,g2g4 g8h6,3000,1,1,1,bad,u\n";
    const auto suite = suite_of(text, "p.csv");
    const auto attempts = attempts_of(*suite, player_);
    ASSERT_EQ(attempts.size(), 3u);
    EXPECT_TRUE(attempts[0].solved) << attempts[0].played;
    EXPECT_TRUE(attempts[1].solved) << attempts[1].played;
    EXPECT_FALSE(attempts[2].solved) << attempts[2].played;
    const SuiteReport report = make_report(*suite, player_, attempts);
    ASSERT_EQ(report.ratings.size(), 2u);
    EXPECT_EQ(report.ratings[0].name, "1000-1199");
    EXPECT_EQ(report.ratings[0].solved, 2u);
    EXPECT_EQ(report.themes[0].name, "mate");
}

}  // namespace
}  // namespace solis::lab
