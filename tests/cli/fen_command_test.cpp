// solis fen and solis perft as a user runs them.
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/cli/run_solis.h"

namespace solis::cli {
namespace {

TEST(FenCommand, PrintsTheNormalisedFen) {
    const Finished run = run_solis("fen '4k3/8/8/3p4/8/8/8/R3K2R w AH d6' startpos");
    EXPECT_EQ(run.exit_code, 0) << run.errors;
    EXPECT_EQ(run.output,
              "4k3/8/8/3p4/8/8/8/R3K2R w KQ - 0 1\n"
              "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\n");
    EXPECT_EQ(run_solis("fen --shredder '4k3/8/8/8/8/8/8/R3K2R w KQ -'").output,
              "4k3/8/8/8/8/8/8/R3K2R w HA - 0 1\n");
}

TEST(FenCommand, DrawsTheBoardWithWhatFollows) {
    const Finished run = run_solis("fen --board '7k/5KQ1/8/8/8/8/8/8 b - - 0 1'");
    EXPECT_EQ(run.exit_code, 0) << run.errors;
    EXPECT_EQ(run.output,
              "7k/5KQ1/8/8/8/8/8/8 b - - 0 1\n"
              "8 . . . . . . . k\n"
              "7 . . . . . K Q .\n"
              "6 . . . . . . . .\n"
              "5 . . . . . . . .\n"
              "4 . . . . . . . .\n"
              "3 . . . . . . . .\n"
              "2 . . . . . . . .\n"
              "1 . . . . . . . .\n"
              "  a b c d e f g h\n"
              "key    c2d4371040131841\n"
              "side   Black, in check\n"
              "moves  0\n"
              "status checkmate\n");
}

TEST(FenCommand, StatusTellsClaimsFromEnds) {
    const auto status = [](const std::string& fen) {
        const std::string out = run_solis("fen --details '" + fen + "'").output;
        const std::size_t at = out.find("status ");
        return at == std::string::npos ? out : out.substr(at + 7, out.find('\n', at) - at - 7);
    };
    EXPECT_EQ(status("4k3/8/8/8/8/8/8/4K2R w - - 100 80"), "fifty-move rule (claimable)");
    EXPECT_EQ(status("4k3/8/8/8/8/8/8/4K2R w - - 150 80"), "seventy-five-move rule");
    EXPECT_EQ(status("4k3/8/8/8/8/8/8/4KB2 w - - 0 1"), "insufficient material");
    EXPECT_EQ(status("4k3/8/8/8/8/8/8/4K2R w - - 0 1"), "in play");
}

TEST(FenCommand, JsonHasOneObjectPerPosition) {
    const Finished run = run_solis("fen --json startpos");
    ASSERT_EQ(run.exit_code, 0) << run.errors;
    const auto report = nlohmann::json::parse(run.output);
    EXPECT_EQ(report["key"], "463b96181691fc9c");
    EXPECT_EQ(report["legal_moves"], 20);
    EXPECT_EQ(report["in_check"], false);
    EXPECT_EQ(report["side_to_move"], "white");
    EXPECT_EQ(report["status"], "in play");
    EXPECT_EQ(report["can_mate"]["black"], true);
}

TEST(FenCommand, BadPositionsFailButTheOthersAreStillPrinted) {
    const Finished run = run_solis("fen '8/8/8/8/8/8/8/4K3 w - -' startpos");
    EXPECT_EQ(run.exit_code, 1);
    EXPECT_EQ(run.output, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\n");
    EXPECT_EQ(run.errors,
              "error: FEN '8/8/8/8/8/8/8/4K3 w - -': piece placement: Black has 0 kings, expected "
              "1\n");
}

TEST(FenCommand, LinesOfAFileAreNamedInErrors) {
    const Finished run = run_solis("fen --file - <'" SOLIS_TEST_FILES "/positions.txt'");
    EXPECT_EQ(run.exit_code, 1);
    EXPECT_EQ(run.output, "4k3/8/8/8/8/8/8/4K3 b - - 0 1\n");
    EXPECT_EQ(run.errors.substr(0, 60),
              "error: -:4: FEN 'nonsense': 1 fields, expected 4 to 6\nhint: ");
    EXPECT_EQ(run_solis("fen --file /nowhere/x").exit_code, 1);
    EXPECT_EQ(run_solis("fen").exit_code, 2);
}

TEST(PerftCommand, CountsAndDivides) {
    const Finished run = run_solis("-q perft startpos 4");
    EXPECT_EQ(run.exit_code, 0);
    EXPECT_EQ(run.output, "197281\n");
    EXPECT_EQ(run.errors, "");
    const Finished divided = run_solis("-q perft 'K7/8/8/8/8/8/8/k7 w - -' 2 --divide");
    EXPECT_EQ(divided.output, "a8a7: 3\na8b7: 3\na8b8: 3\n9\n");
    EXPECT_EQ(run_solis("-q perft startpos 0 --divide").output, "1\n");
}

TEST(PerftCommand, JsonHasTheDivision) {
    const Finished run = run_solis("perft --json --divide startpos 2");
    ASSERT_EQ(run.exit_code, 0) << run.errors;
    const auto report = nlohmann::json::parse(run.output);
    EXPECT_EQ(report["nodes"], 400);
    EXPECT_EQ(report["divide"].size(), 20u);
    EXPECT_EQ(report["divide"]["e2e4"], 20);
}

TEST(PerftCommand, BadInputIsRefused) {
    EXPECT_EQ(run_solis("perft nonsense 3").exit_code, 1);
    EXPECT_EQ(run_solis("perft startpos -1").exit_code, 2);
    EXPECT_EQ(run_solis("perft startpos 99").exit_code, 2);
    EXPECT_EQ(run_solis("perft startpos").exit_code, 2);
}

}  // namespace
}  // namespace solis::cli
