// Inputs that cannot be used are named, in every command that reads a file.
#include <array>
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include "tests/base/temporary_folder.h"
#include "tests/cli/run_solis.h"

namespace solis::cli {
namespace {

// {} stands for the input, {out} for a file that does not exist, {run} for a folder that may be
// made.
constexpr std::array kReaders{
    "analyze {}",
    "fen --file {}",
    "pgn check {}",
    "pgn stats {}",
    "pgn fens {}",
    "pgn games {}",
    "embed {} --format pgn",
    "embed {} --format epd",
    "data info {}",
    "data stats {}",
    "data head {}",
    "data export {} --format text",
    "data import {} --out {out}",
    "data import {} --format bag --out {out}",
    "data split {} --out {out}",
    "data merge {out} {}",
    "model info {}",
    "model export {} --out {out}",
    "model import {} --out {out}",
    "rank startpos --model {}",
    "rate {}",
    "sprt {}",
    "suite {} --engine solis,nodes=1",
    "train --stores {} --out {run}",
    "axis --model {} --data {} --out {out}",
};

std::string with(std::string text, std::string_view place, const std::string& value) {
    for (std::size_t at; (at = text.find(place)) != std::string::npos;) {
        text.replace(at, place.size(), value);
    }
    return text;
}

// Runs every reader on `input`, which must be an error that says `expected`.
void expect_errors(const TemporaryFolder& folder, const std::string& input,
                   const std::string& expected, const std::string& or_else = "\n\n") {
    for (const char* const reader : kReaders) {
        std::string arguments = with(reader, "{out}", folder / "out");
        arguments = with(with(arguments, "{run}", folder / "run"), "{}", input);
        const Finished run = run_solis(arguments + " < /dev/null", "timeout 60 ");
        EXPECT_EQ(run.exit_code, 1) << arguments << "\n" << run.errors;
        EXPECT_TRUE(run.errors.find(expected) != std::string::npos ||
                    run.errors.find(or_else) != std::string::npos)
            << arguments << "\n"
            << run.errors;
        EXPECT_EQ(run.output, "") << arguments;
        EXPECT_FALSE(std::filesystem::exists(folder / "out")) << arguments;
    }
}

TEST(WrongInputs, AMissingFileIsNamed) {
    const TemporaryFolder folder;
    const std::string path = folder / "games.pgn";
    expect_errors(folder, path, "error: cannot open '" + path + "': No such file or directory\n");
}

TEST(WrongInputs, AFolderIsNamed) {
    const TemporaryFolder folder;
    std::filesystem::create_directory(folder / "games.pgn");
    expect_errors(folder, folder / "games.pgn", "games.pgn': it is a folder\n");
}

TEST(WrongInputs, AnEmptyFileIsNamed) {
    const TemporaryFolder folder;
    expect_errors(folder, folder.write("games.pgn", ""), " is empty\n",
                  "games.pgn: not a store of labelled games\n");
}

TEST(WrongInputs, ALineWithoutAnEndIsAnError) {
    const TemporaryFolder folder;
    const std::string path = folder.write("zeros.txt", std::string(std::size_t{20} << 20, 'x'));
    for (const char* const reader :
         {"fen --file {}", "embed {}", "data import {} --format text --out {out}",
          "data import {} --format jsonl --out {out}", "data import {} --format trees --out {out}",
          "data import {} --format plain --out {out}",
          "data import {} --format puzzles --out {out}"}) {
        const std::string arguments = with(with(reader, "{out}", folder / "out"), "{}", path);
        const Finished run = run_solis(arguments);
        EXPECT_EQ(run.exit_code, 1) << arguments;
        EXPECT_NE(run.errors.find("line 1 is longer than 16 MiB"), std::string::npos)
            << arguments << "\n"
            << run.errors;
    }
}

TEST(WrongInputs, ModelsAreNotReadFromDevicesAndPipes) {
    const TemporaryFolder folder;
    const std::string pipe = folder / "pipe";
    ASSERT_EQ(::system(("mkfifo " + pipe).c_str()), 0);
    for (const std::string& input : {std::string("/dev/zero"), pipe}) {
        for (const char* const command : {"rank startpos --model ", "model info "}) {
            const Finished run = run_solis(command + input, "timeout 60 ");
            EXPECT_EQ(run.exit_code, 1) << command << input;
            EXPECT_NE(run.errors.find("it is not a regular file"), std::string::npos)
                << command << run.errors;
        }
    }
}

// Whoever opens a pipe waits for its other end, and a command that answers signals when it can
// would not even end by Ctrl-C.
TEST(WrongInputs, StoresAndLogsAreNotPipes) {
    const TemporaryFolder folder;
    const std::string pipe = folder / "pipe.sgt";
    ASSERT_EQ(::system(("mkfifo " + pipe).c_str()), 0);
    std::ofstream(folder / "in.tsv")
        << "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1\t-31\n";
    for (const char* const command :
         {"data info {}", "data stats {}", "data head {}", "data export {} --format tsv",
          "data split {} --out {out}", "data merge {out} {}", "train --stores {} --out {run}",
          "model measure --data {}", "embed {}", "label --from {} --out {out}",
          "data import {in} --append --out {}", "data endings --positions 1 --out {}",
          "match --engine internal,name=a,nodes=1 --engine internal,name=b,nodes=1 --log {}"}) {
        std::string arguments = with(command, "{out}", folder / "out");
        arguments = with(with(arguments, "{run}", folder / "run"), "{in}", folder / "in.tsv");
        const Finished run = run_solis(with(arguments, "{}", pipe), "timeout -k 1 60 ");
        EXPECT_EQ(run.exit_code, 1) << arguments << "\n" << run.errors;
        EXPECT_NE(run.errors.find("it is not a regular file"), std::string::npos)
            << arguments << "\n"
            << run.errors;
    }
}

}  // namespace
}  // namespace solis::cli
