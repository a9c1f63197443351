// solis play as a user runs it.
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include "tests/base/temporary_folder.h"
#include "tests/cli/run_solis.h"

namespace solis::cli {
namespace {

TEST(PlayCommand, ShowsEveryMoveAndTheResult) {
    const TemporaryFolder folder;
    const std::filesystem::path path = folder / "game.pgn";
    const Finished run = run_solis(
        "play solis,nodes=2000 name=other,cmd=solis,nodes=50 --fen '6k1/5ppp/8/8/8/8/8/K3R3 w - - "
        "0 1' --pgn " +
        path.string());
    EXPECT_EQ(run.exit_code, 0) << run.errors;
    EXPECT_TRUE(run.output.starts_with("solis - other\n")) << run.output;
    EXPECT_NE(run.output.find("  1. Re8# "), std::string::npos) << run.output;
    EXPECT_NE(run.output.find(" #1 "), std::string::npos) << run.output;
    EXPECT_NE(run.output.find("1-0  checkmate\n"), std::string::npos) << run.output;
    std::ifstream file(path);
    const std::string pgn{std::istreambuf_iterator<char>(file), {}};
    EXPECT_NE(pgn.find("[Black \"other\"]"), std::string::npos) << pgn;
}

TEST(PlayCommand, DrawsTheBoardAfterEveryMoveWhereAsked) {
    const std::string game =
        "play solis,nodes=2000 name=other,cmd=solis,nodes=50 --fen '6k1/5ppp/8/8/8/8/8/K3R3 w - - "
        "0 1'";
    const auto boards = [](const std::string& text) {
        std::size_t found = 0;
        for (std::size_t at = 0; (at = text.find("  a b c d e f g h\n", at)) != std::string::npos;
             ++at) {
            ++found;
        }
        return found;
    };
    const Finished every = run_solis(game + " --board"), last = run_solis(game);
    EXPECT_EQ(every.exit_code, 0) << every.errors;
    EXPECT_EQ(boards(every.output), 2u) << every.output;
    EXPECT_EQ(boards(last.output), 1u) << last.output;
    EXPECT_NE(last.output.find("8 . . . . R . k .\n"), std::string::npos) << last.output;
}

TEST(PlayCommand, CtrlCEndsTheGameWithItsBoard) {
    const Finished run = run_solis_interrupted(
        "play solis,st=500 name=other,cmd=solis,st=500",
        [](const Finished& end) { return end.output.find("interrupted") != std::string::npos; });
    EXPECT_EQ(run.exit_code, 130) << run.errors;
    EXPECT_NE(run.output.find("*  interrupted\n"), std::string::npos) << run.output;
}

TEST(PlayCommand, TheTrainedMiniPlays) {
    const Finished run = run_solis(
        "play 'name=mini,cmd=solis,option.WeightsFile=" SOLIS_TEST_FILES
        "/../../models/mini.safetensors,option.Plan=paper,depth=1' name=other,cmd=solis,nodes=50 "
        "--fen '4k3/8/4K3/8/8/8/8/R7 w - - 0 1'");
    EXPECT_EQ(run.exit_code, 0) << run.errors;
    EXPECT_NE(run.output.find("  1. Ra8# "), std::string::npos) << run.output;
}

TEST(PlayCommand, BadInputIsAnError) {
    for (const char* arguments :
         {"no-such-engine solis", "solis,speed=9 solis", "solis solis --fen 'nowhere'"}) {
        const Finished run = run_solis(std::string("play ") + arguments);
        EXPECT_NE(run.exit_code, 0) << arguments;
        EXPECT_NE(run.errors.find("error: "), std::string::npos) << run.errors;
    }
}

}  // namespace
}  // namespace solis::cli
