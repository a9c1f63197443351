// solis analyze as a user runs it.
#include <algorithm>
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/base/temporary_folder.h"
#include "tests/cli/run_solis.h"

namespace solis::cli {
namespace {

std::size_t count(const std::string& text, const std::string& part) {
    std::size_t found = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) {
        ++found;
    }
    return found;
}

TEST(AnalyzeCommand, ShowsBoardAndLines) {
    const Finished run = run_solis("analyze startpos --depth 3 --lines 2");
    EXPECT_EQ(run.exit_code, 0) << run.errors;
    EXPECT_NE(run.output.find("8 r n b q k b n r\n"), std::string::npos);
    EXPECT_EQ(count(run.output, "  White "), 2u) << run.output;
    EXPECT_EQ(count(run.output, "  1. "), 2u) << run.output;
}

TEST(AnalyzeCommand, TakesAFenWithoutQuotes) {
    const Finished run = run_solis("analyze 6k1/5ppp/8/8/8/8/8/K3R3 w - - 0 1 --depth 3 --lines 1");
    EXPECT_EQ(run.exit_code, 0) << run.errors;
    EXPECT_NE(run.output.find("#1  White 100.0 %  1. Re8#\n"), std::string::npos) << run.output;
}

TEST(AnalyzeCommand, JsonSpeaksForWhite) {
    const Finished run = run_solis("analyze --json --depth 3 'k3r3/8/8/8/8/8/5PPP/6K1 b - - 0 1'");
    ASSERT_EQ(run.exit_code, 0) << run.errors;
    const auto report = nlohmann::json::parse(run.output);
    EXPECT_EQ(report["lines"][0]["mate"], -1);
    EXPECT_EQ(report["lines"][0]["win_probability"], 0.0);
    EXPECT_EQ(report["lines"][0]["san"][0], "Re1#");
    EXPECT_EQ(report["lines"][0]["uci"][0], "e8e1");
}

TEST(AnalyzeCommand, FinishedGamesHaveNoLines) {
    const Finished run = run_solis("analyze '7k/5Q2/6K1/8/8/8/8/8 b - - 0 1'");
    EXPECT_EQ(run.exit_code, 0) << run.errors;
    EXPECT_NE(run.output.find("The game is over: stalemate."), std::string::npos) << run.output;
}

TEST(AnalyzeCommand, BadInputIsAnErrorWithAHint) {
    for (const char* text : {"'8/8 w'", "nonsense", "/no/such.pgn"}) {
        const Finished run = run_solis(std::string("analyze ") + text);
        EXPECT_EQ(run.exit_code, 1) << text;
        EXPECT_NE(run.errors.find("error: "), std::string::npos) << run.errors;
    }
}

constexpr const char* kGame =
    "[Event \"Short\"]\n[White \"A\"]\n[Black \"B\"]\n\n"
    "1. f3 {[%eval 9.99] a quiet start} e5 2. g4 (2. e4 {better} Nf6) Qh4# 0-1\n";

TEST(AnalyzeCommand, AnnotatesGamesAndKeepsWhatWasThere) {
    const TemporaryFolder folder;
    const std::filesystem::path path = folder / "game.pgn";
    std::ofstream(path) << kGame;
    const Finished run = run_solis("analyze --depth 4 " + path.string());
    EXPECT_EQ(run.exit_code, 0) << run.errors;
    EXPECT_NE(run.output.find("[White \"A\"]"), std::string::npos);
    EXPECT_EQ(run.output.find("9.99"), std::string::npos) << run.output;
    EXPECT_NE(run.output.find("a quiet start"), std::string::npos) << run.output;
    EXPECT_NE(run.output.find("better"), std::string::npos) << run.output;
    // Where lines are broken depends on what the plan says.
    std::string one_line = run.output;
    std::replace(one_line.begin(), one_line.end(), '\n', ' ');
    EXPECT_NE(one_line.find("2. g4 $4 {[%eval #-1]"), std::string::npos) << run.output;
    EXPECT_NE(run.output.find("blunder; "), std::string::npos) << run.output;
    // Every move but the last, which mates.
    EXPECT_EQ(count(run.output, "[%eval"), 3u) << run.output;

    std::ofstream(path) << run.output;
    const Finished check = run_solis("pgn check " + path.string());
    EXPECT_EQ(check.exit_code, 0) << check.errors;
}

TEST(AnalyzeCommand, GamesAsJson) {
    const TemporaryFolder folder;
    const std::filesystem::path path = folder / "game.pgn";
    std::ofstream(path) << kGame;
    const Finished run = run_solis("analyze --json --depth 4 - < " + path.string());
    ASSERT_EQ(run.exit_code, 0) << run.errors;
    const auto report = nlohmann::json::parse(run.output);
    ASSERT_EQ(report["moves"].size(), 4u);
    EXPECT_EQ(report["moves"][2]["mate"], -1);
    EXPECT_EQ(report["moves"][2]["judgement"], "blunder");
    EXPECT_EQ(report["moves"][3]["san"], "Qh4#");
    EXPECT_FALSE(report["moves"][3].contains("cp"));
}

}  // namespace
}  // namespace solis::cli
