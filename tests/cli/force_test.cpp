// Outputs that exist stay as they are unless --force is given, in every command that writes a file.
#include <filesystem>

#include <gtest/gtest.h>

#include "tests/base/temporary_folder.h"
#include "tests/cli/run_solis.h"

namespace solis::cli {
namespace {

constexpr const char* kShortGame =
    "[Event \"Short\"]\n[White \"A\"]\n[Black \"B\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n";

// `arguments` end with the option that takes the output. `name` has the ending the format needs.
void expect_kept_and_replaced(const TemporaryFolder& folder, const std::string& name,
                              const std::string& arguments) {
    const std::string path = folder.write(name, "precious");
    const Finished refused = run_solis(arguments + " " + path);
    EXPECT_EQ(refused.exit_code, 1) << arguments;
    EXPECT_EQ(refused.errors, "error: '" + path +
                                  "' exists already\n"
                                  "hint:  choose another name, or give --force to replace it\n")
        << arguments;
    EXPECT_EQ(folder.read(name), "precious") << arguments;
    const Finished forced = run_solis(arguments + " " + path + " --force");
    EXPECT_EQ(forced.exit_code, 0) << arguments << "\n" << forced.errors;
    EXPECT_NE(folder.read(name), "precious") << arguments;
    EXPECT_FALSE(folder.read(name).empty()) << arguments;
}

TEST(Force, EveryCommandKeepsAnOutputThatExists) {
    const TemporaryFolder folder;
    const std::string games = folder.write("games.pgn", kShortGame);
    const std::string fens = folder.write("list.epd", "4k3/8/8/8/8/8/4P3/4K3 w - -\n");
    const std::string model = SOLIS_TEST_FILES "/../../models/default.safetensors";
    const std::string store = folder / "games.sgt";
    ASSERT_EQ(run_solis("-q data import " + games + " --out " + store).exit_code, 0);
    expect_kept_and_replaced(folder, "out.pgn", "analyze --depth 1 " + games + " --out");
    expect_kept_and_replaced(folder, "out.npz", "embed " + fens + " --out");
    expect_kept_and_replaced(folder, "out.tsv", "embed " + fens + " --out");
    expect_kept_and_replaced(folder, "model.npz", "model export " + model + " --out");
    expect_kept_and_replaced(folder, "model.safetensors", "model import " + model + " --out");
    expect_kept_and_replaced(folder, "trees.txt", "data export --format trees " + store + " --out");
    expect_kept_and_replaced(
        folder, "game.pgn",
        "play solis,nodes=100 solis,nodes=100 --fen '6k1/5ppp/8/8/8/8/8/K3R3 w - - 0 1' --pgn");
}

TEST(Force, OutputsAreCheckedBeforeTheWork) {
    const TemporaryFolder folder;
    const std::string path = folder.write("out.epd", "precious");
    // No such engine: the output is looked at first.
    for (const char* command : {"openings --engine /nonexistent --out ",
                                "match --engine cmd=/nonexistent --engine cmd=/none --pgn ",
                                "match --engine cmd=/nonexistent --engine cmd=/none --html ",
                                "match --engine cmd=/nonexistent --engine cmd=/none --report ",
                                "play cmd=/nonexistent cmd=/nonexistent --pgn "}) {
        const Finished run = run_solis(command + path);
        EXPECT_EQ(run.exit_code, 1) << command;
        EXPECT_NE(run.errors.find("exists already"), std::string::npos) << command << run.errors;
    }
    EXPECT_EQ(folder.read("out.epd"), "precious");
}

TEST(Force, MissingFolderAndFolderAsOutputAreNamed) {
    const TemporaryFolder folder;
    const Finished missing = run_solis("openings --out " + folder.file("none/out.epd"));
    EXPECT_EQ(missing.exit_code, 1);
    EXPECT_NE(missing.errors.find("there is no folder"), std::string::npos) << missing.errors;
    const Finished is_folder = run_solis("openings --force --out " + folder.path().string());
    EXPECT_EQ(is_folder.exit_code, 1);
    EXPECT_NE(is_folder.errors.find("it is a folder"), std::string::npos) << is_folder.errors;
}

}  // namespace
}  // namespace solis::cli
