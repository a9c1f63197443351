// Ctrl-C while problems are solved and openings are made: what there is by then is not lost.
#include <algorithm>
#include <string>

#include <gtest/gtest.h>

#include "tests/base/temporary_folder.h"
#include "tests/cli/run_solis.h"

namespace solis::cli {
namespace {

TEST(Interrupt, SuiteReportsTheProblemsAnsweredSoFar) {
    const TemporaryFolder folder;
    std::string problems;
    // Minutes of thought: no search ends before its time here.
    for (int i = 0; i < 5000; ++i) {
        problems += "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - bm e4 d4 Nf3 c4;\n";
    }
    const Finished run = run_solis_interrupted(
        "suite " + folder.write("problems.epd", problems) +
            " --engine internal,st=50ms --processes 1",
        [](const Finished& end) { return end.output.find("share") != std::string::npos; });
    EXPECT_EQ(run.exit_code, 130) << run.errors;
    EXPECT_NE(run.errors.find(" of 5000 problems"), std::string::npos) << run.errors;
    EXPECT_NE(run.output.find("share (95 %)"), std::string::npos) << run.output;
    EXPECT_EQ(run.output.find("/5000"), std::string::npos) << "only what was answered counts";
}

TEST(Interrupt, OpeningsAreWrittenAsFarAsTheyGo) {
    const TemporaryFolder folder;
    std::string text;
    const Finished run = run_solis_interrupted(
        "openings --engine " SOLIS_BINARY
        " --count 100000 --plies 6 --nodes 100 --max-score 1000 --force --out " +
            folder.file("openings.epd"),
        [&](const Finished&) { return !(text = folder.read("openings.epd")).empty(); });
    EXPECT_EQ(run.exit_code, 130) << run.errors;
    const auto openings = std::count(text.begin(), text.end(), '\n');
    EXPECT_GT(openings, 0);
    EXPECT_NE(run.errors.find(std::to_string(openings) + " of 100000 openings"), std::string::npos)
        << run.errors;
}

}  // namespace
}  // namespace solis::cli
