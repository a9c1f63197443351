// solis data import and export, as a user runs them.
#include <algorithm>
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include "tests/base/temporary_folder.h"
#include "tests/cli/run_solis.h"

namespace solis::cli {
namespace {

constexpr const char* kRows =
    "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1\t-31\tm\n"
    "8/8/8/8/8/8/8/8 w - - 0 1\t5\n"
    "7k/8/5K2/8/8/8/8/6Q1 w - - 3 90\t31998\n";

class DataImport : public testing::Test {
  protected:
    std::string file(const std::string& name) const { return (folder_ / name).string(); }
    void write(const std::string& name, const std::string& text) const {
        std::ofstream(folder_ / name, std::ios::binary) << text;
    }

    TemporaryFolder folder_;
};

TEST_F(DataImport, WhatGoesInComesOutAndBadRowsAreQuoted) {
    write("in.tsv", kRows);
    const Finished import =
        run_solis("data import " + file("in.tsv") + " --out " + file("a.sgt") + " --json");
    EXPECT_EQ(import.exit_code, 0) << import.errors;
    EXPECT_NE(import.output.find("\"rows\":3,\"bad_rows\":1,\"games\":2"), std::string::npos)
        << import.output;
    EXPECT_NE(import.errors.find("in.tsv line 2: FEN"), std::string::npos) << import.errors;
    const Finished info = run_solis("data info --json " + file("a.sgt"));
    EXPECT_NE(info.output.find("\"format\":\"tsv\""), std::string::npos) << info.output;
    const Finished text = run_solis("data export " + file("a.sgt") + " --format tsv");
    EXPECT_EQ(text.exit_code, 0) << text.errors;
    EXPECT_EQ(text.output,
              "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1\t-31\n"
              "7k/8/5K2/8/8/8/8/6Q1 w - - 3 90\t31998\n");
}

TEST_F(DataImport, StandardInputNeedsAFormat) {
    write("in", kRows);
    const std::string arguments = "data import - --out " + file("a.sgt");
    EXPECT_EQ(run_solis(arguments + " < " + file("in")).exit_code, 1);
    EXPECT_EQ(run_solis(arguments + " --format tsv --limit 1 < " + file("in")).exit_code, 0);
}

TEST_F(DataImport, AnExistingStoreIsNotOverwrittenButCanBeAddedTo) {
    write("in.tsv", kRows);
    const std::string arguments = "data import " + file("in.tsv") + " --out " + file("a.sgt");
    ASSERT_EQ(run_solis(arguments).exit_code, 0);
    const Finished again = run_solis(arguments);
    EXPECT_EQ(again.exit_code, 1);
    EXPECT_NE(again.errors.find("--append"), std::string::npos);
    ASSERT_EQ(run_solis(arguments + " --append").exit_code, 0);
    const Finished out = run_solis("data export " + file("a.sgt") + " --format jsonl");
    EXPECT_EQ(std::count(out.output.begin(), out.output.end(), '\n'), 4);
}

TEST_F(DataImport, FailuresLeaveNoFileAndExitWithOne) {
    write("bad.tsv", "nothing good\n");
    for (const std::string input : {"bad.tsv", "missing.tsv"}) {
        const Finished finished =
            run_solis("data import " + file(input) + " --out " + file("a.sgt"));
        EXPECT_EQ(finished.exit_code, 1) << input;
        EXPECT_NE(finished.errors.find("error: "), std::string::npos);
        EXPECT_FALSE(std::filesystem::exists(file("a.sgt"))) << input;
    }
    EXPECT_EQ(run_solis("data import x --format nonsense --out " + file("a.sgt")).exit_code, 2);
    std::size_t files = 0;
    for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator(folder_ / "")) {
        ++files;
    }
    EXPECT_EQ(files, 1u) << "only bad.tsv";
}

TEST_F(DataImport, ExportSaysWhatTheFormatCannotHold) {
    write("in.tsv", kRows);
    ASSERT_EQ(run_solis("data import " + file("in.tsv") + " --out " + file("a.sgt")).exit_code, 0);
    const Finished finished =
        run_solis("data export " + file("a.sgt") + " --format marlin --out " + file("a.bin"));
    EXPECT_EQ(finished.exit_code, 0) << finished.errors;
    EXPECT_EQ(std::filesystem::file_size(file("a.bin")), 64u);
    EXPECT_NE(finished.errors.find("2 positions come from games of unknown result"),
              std::string::npos)
        << finished.errors;
}

}  // namespace
}  // namespace solis::cli
