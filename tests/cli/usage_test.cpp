// What the command says to people who mistype or ask.
#include <gtest/gtest.h>

#include "tests/base/temporary_folder.h"
#include "tests/cli/run_solis.h"

namespace solis::cli {
namespace {

// Wrong usage, told on stderr alone.
std::string usage_error(const std::string& arguments) {
    const Finished run = run_solis(arguments);
    EXPECT_EQ(run.exit_code, 2) << arguments;
    EXPECT_EQ(run.output, "") << arguments;
    return run.errors;
}

TEST(Usage, WithoutArgumentsTheEngineAnswersAProgram) {
    const TemporaryFolder folder;
    const std::string said = folder.write("said", "uci\nisready\nquit\n");
    const Finished run = run_solis("< " + said);
    EXPECT_EQ(run.exit_code, 0) << run.errors;
    EXPECT_NE(run.output.find("uciok\n"), std::string::npos) << run.output;
    EXPECT_NE(run.output.find("readyok\n"), std::string::npos) << run.output;
}

// Sanitizers need more addresses than this leaves them.
#ifndef SOLIS_SANITIZED
TEST(Usage, TheEngineThinksWithTheThreadsThatItGets) {
    const TemporaryFolder folder;
    const std::string said =
        folder.write("said",
                     "setoption name Plan value puct\nsetoption name Threads value 256\n"
                     "go nodes 2000\n");
    const Finished run = run_solis("uci < " + said, "ulimit -v 500000; timeout 60 ");
    EXPECT_EQ(run.exit_code, 0) << run.errors;
    EXPECT_NE(run.output.find("bestmove "), std::string::npos) << run.output;
    EXPECT_EQ(run.output.find("bestmove (none)"), std::string::npos) << run.output;
}
#endif

TEST(Usage, AnAxisNeedsAModel) {
    EXPECT_EQ(usage_error("axis --data a.sgt --out b.safetensors"),
              "error: neither --model nor --encoder-command was given\n"
              "hint:  name one of them\n");
}

TEST(Usage, WithoutArgumentsAPersonGetsTheOverview) {
    // script(1) gives the command a terminal.
    const Finished run = run_solis("' /dev/null < /dev/null", "TERM=dumb script -qec '");
    EXPECT_NE(run.output.find("SOLIS plans chess moves"), std::string::npos) << run.output;
    EXPECT_NE(run.output.find("analyze"), std::string::npos) << run.output;
}

TEST(Usage, MistypedWordsAreNamedWithTheNearestOne) {
    EXPECT_EQ(usage_error("rnak startpos"),
              "error: 'solis' has no command 'rnak'\n"
              "hint:  did you mean 'rank'? see 'solis --help'\n");
    EXPECT_EQ(usage_error("rank startpos --tpo 3"),
              "error: 'solis rank' has no option '--tpo'\n"
              "hint:  did you mean '--top'? see 'solis rank --help'\n");
    EXPECT_EQ(usage_error("rank startpos --modle=x"),
              "error: 'solis rank' has no option '--modle'\n"
              "hint:  did you mean '--model'? see 'solis rank --help'\n");
    EXPECT_EQ(usage_error("data imprt x"),
              "error: 'solis data' has no command 'imprt'\n"
              "hint:  did you mean 'import'? see 'solis data --help'\n");
    EXPECT_EQ(usage_error("embed x --ouput y"),
              "error: 'solis embed' has no option '--ouput'\n"
              "hint:  did you mean '--out'? see 'solis embed --help'\n");
    EXPECT_EQ(usage_error("xyzzy"),
              "error: 'solis' has no command 'xyzzy'\nhint:  see 'solis --help'\n");
    EXPECT_EQ(usage_error("xyzzy --help"),
              "error: 'solis' has no command 'xyzzy'\nhint:  see 'solis --help'\n");
}

TEST(Usage, WhatIsMissingIsNamed) {
    EXPECT_EQ(usage_error("model"),
              "error: 'solis model' needs a command\n"
              "hint:  one of: info, export, import, attach, pack, average, measure\n");
    EXPECT_EQ(usage_error("rank --top"),
              "error: --top needs a value\nhint:  see 'solis rank --help'\n");
    EXPECT_EQ(usage_error("rank"), "error: fen is required\nhint:  see 'solis rank --help'\n");
}

TEST(Usage, NumbersOutOfRangeNameTheRange) {
    EXPECT_EQ(usage_error("rank startpos --top 0"),
              "error: --top: 0 is out of range: 1 to 256\nhint:  see 'solis rank --help'\n");
    EXPECT_EQ(usage_error("openings --count 1000001"),
              "error: --count: 1000001 is out of range: 1 to 1,000,000\n"
              "hint:  see 'solis openings --help'\n");
    EXPECT_EQ(usage_error("rank startpos --top 99999999999999999999999"),
              "error: --top: 99999999999999999999999 is out of range: 1 to 256\n"
              "hint:  see 'solis rank --help'\n");
    EXPECT_EQ(usage_error("rank startpos --top many"),
              "error: --top: 'many' is not a whole number\nhint:  see 'solis rank --help'\n");
    EXPECT_EQ(usage_error("rank startpos --top 2.5"),
              "error: --top: '2.5' is not a whole number\nhint:  see 'solis rank --help'\n");
    EXPECT_EQ(usage_error("embed x --limit -5"),
              "error: --limit: -5 is out of range: 0 or more\n"
              "hint:  see 'solis embed --help'\n");
    EXPECT_EQ(usage_error("openings --nodes 0"),
              "error: --nodes: 0 is out of range: 1 or more\n"
              "hint:  see 'solis openings --help'\n");
    EXPECT_EQ(usage_error("data split x --test nan"),
              "error: --test: 'nan' is not a number\nhint:  see 'solis data split --help'\n");
    EXPECT_EQ(usage_error("data split x --test 101"),
              "error: --test: 101 is out of range: 0 to 100\n"
              "hint:  see 'solis data split --help'\n");
    EXPECT_EQ(usage_error("analyze startpos --plan deeep"),
              "error: --plan: 'deeep' is not one of: paper, deep, puct\n"
              "hint:  see 'solis analyze --help'\n");
}

TEST(Usage, HelpIsACommandToo) {
    EXPECT_EQ(run_solis("help").output, run_solis("--help").output);
    EXPECT_EQ(run_solis("help rank").output, run_solis("rank --help").output);
    EXPECT_EQ(run_solis("help data import").output, run_solis("data import --help").output);
    EXPECT_NE(run_solis("help rank").output.find("Usage: solis rank"), std::string::npos);
    EXPECT_EQ(usage_error("help rnak"),
              "error: 'solis' has no command 'rnak'\n"
              "hint:  did you mean 'rank'? see 'solis --help'\n");
}

TEST(Usage, AnalyseIsAnalyze) {
    const Finished run = run_solis("analyse startpos --depth 1");
    EXPECT_EQ(run.exit_code, 0) << run.errors;
    EXPECT_NE(run.output.find("%"), std::string::npos) << run.output;
}

TEST(Usage, DumbTerminalsGetNoEscapes) {
    for (const char* const setting : {"TERM=dumb", "TERM=xterm NO_COLOR=1"}) {
        const Finished run = run_solis("fen nonsense' /dev/null < /dev/null",
                                       std::string(setting) + " script -qec '");
        EXPECT_NE(run.output.find("error: "), std::string::npos) << run.output;
        EXPECT_EQ(run.output.find('\x1b'), std::string::npos) << setting << run.output;
    }
    const Finished colored =
        run_solis("fen nonsense' /dev/null < /dev/null", "TERM=xterm script -qec '");
    EXPECT_NE(colored.output.find('\x1b'), std::string::npos) << colored.output;
}

}  // namespace
}  // namespace solis::cli
