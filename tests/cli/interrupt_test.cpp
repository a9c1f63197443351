// Ctrl-C while problems are solved and openings are made: what there is by then is not lost.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include <gtest/gtest.h>
#include <unistd.h>

#include "tests/cli/run_solis.h"

namespace solis::cli {
namespace {

// Sent after so many seconds that something has been found, however busy the machine is.
constexpr const char* kCtrlC = "timeout --preserve-status -s INT 4 ";

std::filesystem::path interrupt_file(const std::string& name) {
    return std::filesystem::temp_directory_path() /
           ("solis_interrupt_" + std::to_string(::getpid()) + name);
}

TEST(Interrupt, SuiteReportsTheProblemsAnsweredSoFar) {
    const auto path = interrupt_file(".epd");
    {
        std::ofstream file(path);
        // Minutes of thought: no search ends before its time here.
        for (int i = 0; i < 5000; ++i) {
            file << "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - bm e4 d4 Nf3 c4;\n";
        }
    }
    const Finished run =
        run_solis("suite " + path.string() + " --engine internal,st=50ms --processes 1", kCtrlC);
    std::filesystem::remove(path);
    EXPECT_EQ(run.exit_code, 130) << run.errors;
    EXPECT_NE(run.errors.find(" of 5000 problems"), std::string::npos) << run.errors;
    EXPECT_NE(run.output.find("share (95 %)"), std::string::npos) << run.output;
    EXPECT_EQ(run.output.find("/5000"), std::string::npos) << "only what was answered counts";
}

TEST(Interrupt, OpeningsAreWrittenAsFarAsTheyGo) {
    const auto path = interrupt_file(".epd");
    const Finished run = run_solis("openings --engine " SOLIS_BINARY
                                   " --count 100000 --plies 6 --nodes 100 --max-score 1000 --out " +
                                       path.string(),
                                   kCtrlC);
    std::ifstream file(path);
    const std::string text(std::istreambuf_iterator<char>(file), {});
    std::filesystem::remove(path);
    EXPECT_EQ(run.exit_code, 130) << run.errors;
    const auto openings = std::count(text.begin(), text.end(), '\n');
    EXPECT_GT(openings, 0);
    EXPECT_NE(run.errors.find(std::to_string(openings) + " of 100000 openings"), std::string::npos)
        << run.errors;
}

}  // namespace
}  // namespace solis::cli
