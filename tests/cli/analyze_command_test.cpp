// solis analyze as a user runs it.
#include <algorithm>
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

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

TEST(AnalyzeCommand, TakesSeveralPositionsInAnyForm) {
    const std::string mate = "6k1/5ppp/8/8/8/8/8/K3R3 w - - 0 1";
    const Finished words =
        run_solis("analyze --depth 3 --lines 1 startpos " + mate + " '" + mate + "' startpos");
    EXPECT_EQ(words.exit_code, 0) << words.errors;
    EXPECT_EQ(count(words.output, "  a b c d e f g h\n"), 4u) << words.output;
    EXPECT_EQ(count(words.output, "1. Re8#"), 2u) << words.output;

    const auto path = std::filesystem::temp_directory_path() /
                      ("solis_analyze_list_" + std::to_string(::getpid()) + ".epd");
    std::ofstream(path) << "# mates\n" + mate + "\n\n" +
                               "6k1/5ppp/8/8/8/8/8/K3R3 w - - bm Re8; id \"epd\";\n";
    for (const std::string& input : {"--file - < " + path.string(), path.string()}) {
        const Finished list = run_solis("analyze --json --depth 3 --lines 1 " + input);
        EXPECT_EQ(list.exit_code, 0) << list.errors;
        EXPECT_EQ(count(list.output, "\"mate\":1,"), 2u) << list.output;
    }

    std::ofstream(path, std::ios::trunc) << mate << "\nnonsense\n";
    const Finished wrong = run_solis("analyze --file " + path.string());
    std::filesystem::remove(path);
    EXPECT_EQ(wrong.exit_code, 1);
    EXPECT_NE(wrong.errors.find(".epd:2"), std::string::npos) << wrong.errors;
    EXPECT_EQ(run_solis("analyze").exit_code, 2);
}

TEST(AnalyzeCommand, CtrlCShowsTheBestLinesSoFar) {
    const Finished run =
        run_solis_interrupted("analyze startpos --movetime 600000 --lines 2",
                              [](const Finished& end) { return count(end.output, "  1. ") > 0; });
    EXPECT_EQ(run.exit_code, 130) << run.errors;
    EXPECT_GE(count(run.output, "  1. "), 1u) << run.output;
    EXPECT_NE(run.errors.find("best lines so far"), std::string::npos) << run.errors;
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
    EXPECT_NE(run.output.find("{[%eval #-1]"), std::string::npos) << run.output;
    EXPECT_NE(run.output.find("blunder; "), std::string::npos) << run.output;
    // Every move but the last, which mates.
    EXPECT_EQ(count(run.output, "[%eval"), 3u) << run.output;

    std::ofstream(path) << run.output;
    const Finished check = run_solis("pgn check " + path.string());
    EXPECT_EQ(check.exit_code, 0) << check.errors;
}

TEST(AnalyzeCommand, CtrlCInAGameIsToldAndMarked) {
    const auto folder = std::filesystem::temp_directory_path();
    const std::string unique = std::to_string(::getpid());
    const auto path = folder / ("solis_analyze_interrupt_" + unique + ".pgn");
    const auto out = folder / ("solis_analyze_interrupt_" + unique + "_out.pgn");
    {
        std::ofstream file(path);
        file << "[White \"A\"]\n\n1. e4 1-0\n\n[White \"B\"]\n\n";
        // More than a minute of thought: the game is not over before the last interrupt.
        for (int i = 1; i < 400; i += 2) {
            file << i << ". Nf3 Nf6 " << i + 1 << ". Ng1 Ng8 ";
        }
        file << "401. e4 *\n";
    }
    const Finished run = run_solis_interrupted(
        "analyze --movetime 100 --force " + path.string() + " --out " + out.string(),
        [](const Finished& end) { return count(end.errors, "game 2") > 0; });
    EXPECT_EQ(run.exit_code, 130) << run.errors;
    EXPECT_NE(run.errors.find("1 game complete, game 2 up to ply "), std::string::npos)
        << run.errors;
    std::ifstream file(out);
    std::string text(std::istreambuf_iterator<char>(file), {});
    std::replace(text.begin(), text.end(), '\n', ' ');  // comments may be broken at blanks
    EXPECT_EQ(count(text, "the analysis was interrupted"), 1u) << text;
    EXPECT_NE(text.find("401. e4"), std::string::npos) << "all moves are there";
    std::filesystem::remove(path);
    std::filesystem::remove(out);
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
