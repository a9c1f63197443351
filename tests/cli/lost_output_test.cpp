// Standard output that cannot be written is a failure of every command.
#include <array>

#include <gtest/gtest.h>

#include "tests/base/temporary_folder.h"
#include "tests/cli/run_solis.h"

namespace solis::cli {
namespace {

constexpr const char* kGameToPrint =
    "[Event \"Short\"]\n[White \"A\"]\n[Black \"B\"]\n[Result \"0-1\"]\n\n"
    "1. f3 e5 2. g4 Qh4# 0-1\n";

// {folder} stands for a folder with a store, a PGN and a list of positions.
constexpr std::array kPrintingCommands{
    "",  // the overview needs a terminal; without one this is the engine, told to say something
    "--help",
    "--version",
    "help",
    "help rank",
    "analyze startpos --depth 1",
    "analyze {folder}/games.pgn --depth 1",
    "analyze --json startpos --depth 1",
    "axis --help",
    "bench encoder --help",
    "data info {folder}/games.sgt",
    "data stats {folder}/games.sgt",
    "data head {folder}/games.sgt",
    "data export {folder}/games.sgt --format trees",
    "data import --json {folder}/games.pgn --out {folder}/again.sgt",
    "embed {folder}/list.epd",
    "fen startpos",
    "fen --json startpos",
    "label --help",
    "match --help",
    "model info --preset mini",
    "openings --help",
    "paper tables",
    "perft startpos 2",
    "pgn check {folder}/games.pgn --json",
    "pgn stats {folder}/games.pgn",
    "pgn fens {folder}/games.pgn",
    "pgn games {folder}/games.pgn",
    "play solis,nodes=10 solis,nodes=10 --fen '6k1/5ppp/8/8/8/8/8/K3R3 w - - 0 1'",
    "rank startpos",
    "rate {folder}/games.pgn",
    "sprt --help",
    "suite --help",
    "train --help",
    "uci go perft 1",
    "uci",
};

std::string in_folder(std::string command, const TemporaryFolder& folder) {
    constexpr std::string_view kPlace = "{folder}";
    for (std::size_t at; (at = command.find(kPlace)) != std::string::npos;) {
        command.replace(at, kPlace.size(), folder.path().string());
    }
    return command;
}

TEST(LostOutput, IsAFailureOfEveryCommand) {
    const TemporaryFolder folder;
    folder.write("games.pgn", kGameToPrint);
    folder.write("list.epd", "4k3/8/8/8/8/8/4P3/4K3 w - -\n");
    ASSERT_EQ(
        run_solis(in_folder("-q data import {folder}/games.pgn --out {folder}/games.sgt", folder))
            .exit_code,
        0);
    const std::string said = folder.write("said", "uci\nquit\n");
    for (const char* const command : kPrintingCommands) {
        const Finished run = run_solis(in_folder(command, folder) + " < " + said + " > /dev/full");
        EXPECT_EQ(run.exit_code, 1) << "solis " << command;
        EXPECT_NE(run.errors.find("error: cannot write standard output: "), std::string::npos)
            << "solis " << command << "\n"
            << run.errors;
    }
}

TEST(LostOutput, AClosedStreamIsAFailureToo) {
    const Finished run = run_solis("fen startpos >&-");
    EXPECT_EQ(run.exit_code, 1);
    EXPECT_NE(run.errors.find("cannot write standard output"), std::string::npos) << run.errors;
    // A command that has nothing to say there does not mind.
    const TemporaryFolder folder;
    const std::string games = folder.write("games.pgn", kGameToPrint);
    const Finished silent =
        run_solis("data import " + games + " --out " + folder.file("a.sgt") + " >&-");
    EXPECT_EQ(silent.exit_code, 0) << silent.errors;
    EXPECT_EQ(run_solis("data info " + folder.file("a.sgt")).exit_code, 0);
}

// The reader of a pipe that has seen enough is the usual end of a command, without a word.
TEST(LostOutput, AReaderThatGoesAwayEndsTheCommandQuietly) {
    const Finished run = run_solis("help | true");
    EXPECT_EQ(run.errors, "");
    const Finished engine = run_solis("uci < /dev/null | true");
    EXPECT_EQ(engine.errors, "");
}

TEST(LostOutput, TheLimitOfAFilesSizeIsAnError) {
    const TemporaryFolder folder;
    const std::string list = folder.write("list.epd", "4k3/8/8/8/8/8/4P3/4K3 w - -\n");
    const Finished run = run_solis("embed " + list + " --out " + folder.file("out.npz"),
                                   "sh -c 'ulimit -f 1; exec \"$0\" \"$@\"' ");
    EXPECT_EQ(run.exit_code, 1);
    EXPECT_NE(run.errors.find("out.npz': File too large"), std::string::npos) << run.errors;
    EXPECT_EQ(folder.entries(), 1u) << "nothing is left behind";
}

}  // namespace
}  // namespace solis::cli
