// solis paper, and matches that a sequential test ends, as a user runs them.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include "solis/base/folder_lock.h"
#include "tests/base/temporary_folder.h"
#include "tests/cli/run_solis.h"

namespace solis::cli {
namespace {

TEST(PaperCommand, TablesNamesTheFlaw) {
    const Finished run = run_solis("paper tables");
    ASSERT_EQ(run.exit_code, 0) << run.errors;
    EXPECT_NE(run.output.find("do not\nquote these Elo"), std::string::npos) << run.output;
    const auto report = nlohmann::json::parse(run_solis("paper tables --json").output);
    EXPECT_EQ(report["columns"].size(), 64u);
    EXPECT_GT(report["mean_slope"].get<double>(), -1.5);
    EXPECT_LT(report["mean_expected_slope"].get<double>(), -13);
}

class PaperRun : public testing::Test {
  protected:
    [[nodiscard]] std::string lines(const std::string& file) const {
        std::ifstream stream(folder_ + "/" + file);
        return {std::istreambuf_iterator<char>(stream), {}};
    }

    const TemporaryFolder temporary_;
    const std::string folder_ = temporary_.path().string();
};

// The fastest experiment there is: one ply, one move wide, two games.
TEST_F(PaperRun, DepthPlaysCountsAndContinues) {
    const std::string command =
        "paper depth " + folder_ + " --depth 1 --width 1 --scoring unanchored --json --games ";
    const Finished first = run_solis(command + "2");
    ASSERT_EQ(first.exit_code, 0) << first.errors;
    const auto report = nlohmann::json::parse(first.output)["equal_depth"];
    ASSERT_EQ(report.size(), 1u);
    const auto games = [](const nlohmann::json& match) {
        return match["wins"].get<int>() + match["draws"].get<int>() + match["losses"].get<int>();
    };
    EXPECT_EQ(games(report[0]), 2);
    EXPECT_GT(report[0]["solis_nodes"]["average"].get<double>(), 1);
    EXPECT_GT(report[0]["stockfish_nodes"]["most"].get<int>(), 0);
    EXPECT_NE(lines("depth.svg").find("</svg>"), std::string::npos);

    const std::string log = lines("depth-S1-W1-unanchored.log");
    const Finished more = run_solis(command + "4");
    ASSERT_EQ(more.exit_code, 0) << more.errors;
    EXPECT_EQ(games(nlohmann::json::parse(more.output)["equal_depth"][0]), 4);
    // The games of the first run were not played again.
    EXPECT_EQ(lines("depth-S1-W1-unanchored.log").substr(0, log.size()), log);

    const Finished nodes =
        run_solis("paper nodes " + folder_ + " --depth 1 --width 1 --scoring unanchored --games 4");
    EXPECT_EQ(nodes.exit_code, 0) << nodes.errors;
    EXPECT_NE(nodes.output.find("S1-W1-unanchored"), std::string::npos) << nodes.output;
}

TEST_F(PaperRun, EloRefusesCapsThatStockfishDoesNotHave) {
    const Finished run = run_solis("paper elo " + folder_ + " --cap 99999");
    EXPECT_EQ(run.exit_code, 1);
    EXPECT_NE(run.errors.find("cap 99999 is outside"), std::string::npos) << run.errors;
}

TEST_F(PaperRun, EloWithoutTimeReportsNothingButIsNoError) {
    const Finished run = run_solis("paper elo " + folder_ + " --quick --minutes 0.01");
    EXPECT_EQ(run.exit_code, 0) << run.errors;
    EXPECT_NE(lines("elo.txt").find("SOLIS against Stockfish by cap"), std::string::npos);
}

TEST_F(PaperRun, TwoPagesInOneFolderAreNotMadeAtOnce) {
    std::filesystem::create_directories(folder_);
    const auto lock = FolderLock::take(folder_, "testing");
    ASSERT_TRUE(lock) << lock.error().message;
    const Finished run = run_solis("paper figures " + folder_ + " --quick --count 300");
    EXPECT_EQ(run.exit_code, 1);
    EXPECT_EQ(run.errors, "error: another process is making the page in '" + folder_ +
                              "'\nhint:  wait for it, or choose another folder\n");
    EXPECT_EQ(lines("report.html"), "");
}

// Everything on one page, from an empty folder on, and again from the games that were played.
TEST_F(PaperRun, AllMakesOnePageAndContinues) {
    const std::string command = "paper all " + folder_ + " --quick --count 300 --concurrency 2 ";
    ASSERT_EQ(run_solis("paper figures " + folder_ + " --quick --count 300").exit_code, 0);
    EXPECT_NE(lines("report.html").find("No game has been played yet"), std::string::npos);
    const Finished run = run_solis(command + "--minutes 0.04 --nodes 50");
    ASSERT_EQ(run.exit_code, 0) << run.errors;
    const std::string page = lines("report.html");
    for (const char* part :
         {"Table 1", "Figure 1", "Figure 2", "Figure 3", "Figure 4", "Table 2", "Nodes searched",
          "Figure 5", "Table 3", "games A to E", "games F to I", "Base against Stockfish, anchored",
          "Mini against Stockfish, unanchored", "solis paper all", "do not behave like Elo"}) {
        EXPECT_NE(page.find(part), std::string::npos) << part;
    }
    for (const char* outside : {"src=\"http", "href=\"http", "@import", "url(http"}) {
        EXPECT_EQ(page.find(outside), std::string::npos) << outside;
    }
    const std::string log = lines("quick/depth-S3-W3-unanchored.log");
    ASSERT_FALSE(log.empty());
    ASSERT_EQ(run_solis(command + "--minutes 0.02 --nodes 50").exit_code, 0);
    EXPECT_TRUE(lines("quick/depth-S3-W3-unanchored.log").starts_with(log))
        << "games are not played again";
}

// A folder holds the games of one model: mixed ones would rate nobody.
TEST_F(PaperRun, GamesOfAnotherModelAreRefused) {
    ASSERT_EQ(run_solis("paper depth " + folder_ +
                        "/quick --depth 3 --width 3 --scoring unanchored --games 2")
                  .exit_code,
              0);
    const Finished run = run_solis("paper figures " + folder_ + " --quick --model " +
                                   SOLIS_TEST_FILES + "/../../models/mini.safetensors");
    EXPECT_EQ(run.exit_code, 1);
    EXPECT_NE(run.errors.find("played by another model"), std::string::npos) << run.errors;
}

// A search of 3 plies against one of a single node: decided long before the 400 games.
TEST_F(PaperRun, SprtEndsAMatch) {
    const std::string command =
        "match --engine name=strong,cmd=stockfish,depth=3 --engine "
        "name=weak,cmd=stockfish,nodes=1,option.UCI_LimitStrength=true "
        "--games 400 --concurrency 1 --log " +
        folder_ + "/m.log --json --sprt elo0=0,elo1=100,model=logistic";
    const Finished run = run_solis(command);
    ASSERT_EQ(run.exit_code, 0) << run.errors;
    EXPECT_NE(run.errors.find("SPRT ended the match: accept elo1"), std::string::npos)
        << run.errors;
    const std::string log = lines("m.log");
    EXPECT_LT(std::count(log.begin(), log.end(), '\n'), 300);
    // Continued, it is decided before the first move.
    EXPECT_EQ(run_solis(command).exit_code, 0);
    EXPECT_EQ(lines("m.log"), log);
    // The log is as good as a PGN file.
    EXPECT_EQ(run_solis("sprt " + folder_ + "/m.log --player strong").exit_code, 0);
    EXPECT_EQ(run_solis("rate " + folder_ + "/m.log").exit_code, 0);
    EXPECT_EQ(run_solis(command + ",elo2=1").exit_code, 2);
}

}  // namespace
}  // namespace solis::cli
