// solis pgn as a user runs it.
#include <algorithm>
#include <string>

#include <gtest/gtest.h>

#include "tests/cli/run_solis.h"

namespace solis::cli {
namespace {

const std::string kPaperGames = std::string(SOLIS_TEST_FILES) + "/paper_games.pgn";

std::ptrdiff_t line_count(const std::string& text) {
    return std::count(text.begin(), text.end(), '\n');
}

TEST(PgnCommand, CheckAcceptsTheGamesOfThePaper) {
    const Finished run = run_solis("pgn check " + kPaperGames);
    EXPECT_EQ(run.exit_code, 0);
    EXPECT_EQ(run.output, "9 games, 1163 moves, 0 broken games\n");
    EXPECT_EQ(run.errors, "");
}

TEST(PgnCommand, ReadsStandardInput) {
    const Finished run = run_solis("pgn check - < " + kPaperGames);
    EXPECT_EQ(run.output, "9 games, 1163 moves, 0 broken games\n");
}

TEST(PgnCommand, CheckReportsBrokenGamesWithTheirLine) {
    // The illegal move stands in line 2, and of the second broken game in line 7.
    const Finished run = run_solis(
        "pgn check - <<'END'\n1. e4 e5\n2. Ke3 *\n\n1. d4 *\n\n1. e4 e5\n2. Nf3 Nc6 3. Ke3 "
        "*\nEND\n");
    EXPECT_EQ(run.exit_code, 1);
    EXPECT_EQ(run.output, "1 games, 1 moves, 2 broken games\n");
    const std::size_t first = run.errors.find("line 2"), second = run.errors.find("line 7");
    ASSERT_NE(first, std::string::npos) << run.errors;
    ASSERT_NE(second, std::string::npos) << run.errors;
    EXPECT_LT(first, second);
    EXPECT_NE(run.errors.find("Ke3"), std::string::npos) << run.errors;
    EXPECT_EQ(line_count(run.errors), 2) << run.errors;
}

TEST(PgnCommand, MissingFileIsAnErrorThatNamesIt) {
    const Finished run = run_solis("pgn stats /nonexistent.pgn");
    EXPECT_EQ(run.exit_code, 1);
    EXPECT_NE(run.errors.find("/nonexistent.pgn"), std::string::npos) << run.errors;
    EXPECT_EQ(run.output, "");
}

TEST(PgnCommand, FensGivesEveryPositionOnceWhereAsked) {
    EXPECT_EQ(line_count(run_solis("pgn fens " + kPaperGames).output), 1163 + 9);
    const std::string unique = run_solis("pgn fens --unique " + kPaperGames).output;
    EXPECT_LT(line_count(unique), 1163 + 9 - 8);
    const Finished some = run_solis("pgn fens --every 100 --with-moves " + kPaperGames);
    EXPECT_EQ(some.output.substr(0, some.output.find('\n')),
              "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\td2d4");
    EXPECT_EQ(line_count(some.output), 15);
}

TEST(PgnCommand, GamesFiltersByPlayerAndResult) {
    EXPECT_EQ(line_count(run_solis("pgn games " + kPaperGames).output), 9);
    EXPECT_EQ(line_count(run_solis("pgn games --player 'stockfish 2500' " + kPaperGames).output),
              2);
    EXPECT_EQ(line_count(run_solis("pgn games --result 1/2-1/2 " + kPaperGames).output), 2);
    EXPECT_EQ(run_solis("pgn games --result won " + kPaperGames).exit_code, 2);
}

TEST(PgnCommand, StatsCountsAnnotations) {
    const Finished run = run_solis(
        "pgn stats --json - <<'END'\n[ECO \"C20\"]\n[WhiteElo \"2000\"]\n\n"
        "1. e4 {[%eval 0.1] [%clk 0:01:00] hm} e5 $1 (1... c5 2. Nf3) 1-0\nEND\n");
    EXPECT_EQ(run.exit_code, 0);
    EXPECT_EQ(run.output,
              "{\"games\":1,\"white_wins\":1,\"draws\":0,\"black_wins\":0,\"unknown_results\":0,"
              "\"differing_results\":0,\"plies\":2,\"longest_game\":2,\"from_position\":0,"
              "\"variations\":1,\"variation_moves\":2,\"comments\":1,\"nags\":1,\"evals\":1,"
              "\"clocks\":1,\"elo\":{\"players\":1,\"mean\":2000.0,\"min\":2000,\"max\":2000},"
              "\"eco\":{\"C20\":1},\"openings\":{}}\n");
}

}  // namespace
}  // namespace solis::cli
