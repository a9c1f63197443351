// One rule for damaged stores in every command: stop and say where, or skip and say what.
#include <filesystem>
#include <fstream>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "solis/data/store/writer.h"
#include "tests/base/temporary_folder.h"
#include "tests/cli/run_solis.h"
#include "tests/data/random_games.h"

namespace solis::cli {
namespace {

class DamagedStoreCommand : public testing::Test {
  protected:
    void SetUp() override {
        auto writer = data::StoreWriter::create(path("a.sgt"), {}, {.block_positions = 2000});
        ASSERT_TRUE(writer);
        for (const data::LabelledGame& game : data::random_games(Seed{1}, 300, 40)) {
            ASSERT_TRUE(writer->append(game));
        }
        ASSERT_TRUE(writer->close());
        const auto file = data::StoreFile::open(path("a.sgt"));
        ASSERT_TRUE(file);
        ASSERT_GE(file->blocks().size(), 3u);
        block_ = file->blocks()[1];
        std::fstream bytes(path("a.sgt"), std::ios::in | std::ios::out | std::ios::binary);
        bytes.seekp(static_cast<std::streamoff>(block_.offset + 200)).write("damage", 6);
    }
    [[nodiscard]] std::string path(const std::string& name) const {
        return (folder_ / name).string();
    }
    [[nodiscard]] std::string place() const {
        return fmt::format("block 2 at byte {} ({} games): the checksum does not match",
                           block_.offset, block_.games);
    }
    // Fails with the place, then succeeds with it.
    void expect_rule(const std::string& arguments) const {
        const Finished stopped = run_solis(arguments);
        EXPECT_EQ(stopped.exit_code, 1) << arguments << "\n" << stopped.errors;
        EXPECT_NE(stopped.errors.find("a.sgt' is damaged, " + place()), std::string::npos)
            << arguments << "\n"
            << stopped.errors;
        EXPECT_NE(stopped.errors.find("--skip-damaged"), std::string::npos) << stopped.errors;
        const Finished skipped = run_solis(arguments + " --skip-damaged");
        EXPECT_EQ(skipped.exit_code, 0) << arguments << "\n" << skipped.errors;
        EXPECT_NE(skipped.errors.find(place()), std::string::npos) << arguments << "\n"
                                                                   << skipped.errors;
        EXPECT_NE(skipped.errors.find(fmt::format("{} games lost", block_.games)),
                  std::string::npos)
            << skipped.errors;
    }

    TemporaryFolder folder_;
    data::BlockEntry block_;
};

TEST_F(DamagedStoreCommand, ReadersOfGamesStopOrSkip) {
    expect_rule("data export " + path("a.sgt") + " --format tsv --out " + path("a.tsv"));
    expect_rule("data head --games 1000 --json " + path("a.sgt"));
    expect_rule("data stats " + path("a.sgt"));
    expect_rule("data split " + path("a.sgt"));
    expect_rule("data merge " + path("b.sgt") + " " + path("a.sgt"));
}

TEST_F(DamagedStoreCommand, WhatStopsLeavesNoOutput) {
    for (const std::string& arguments :
         {"data export " + path("a.sgt") + " --format tsv --out " + path("a.tsv"),
          "data split " + path("a.sgt"), "data merge " + path("b.sgt") + " " + path("a.sgt")}) {
        EXPECT_EQ(run_solis(arguments).exit_code, 1);
        std::size_t files = 0;
        for (const auto& entry : std::filesystem::directory_iterator(path("."))) {
            EXPECT_EQ(entry.path().filename(), "a.sgt") << arguments;
            ++files;
        }
        EXPECT_EQ(files, 1u);
    }
}

TEST_F(DamagedStoreCommand, InfoListsItAndFailsUnlessTold) {
    const Finished stopped = run_solis("data info " + path("a.sgt"));
    EXPECT_EQ(stopped.exit_code, 1);
    EXPECT_NE(stopped.output.find("damage     " + place()), std::string::npos) << stopped.output;
    EXPECT_EQ(run_solis("data info --skip-damaged " + path("a.sgt")).exit_code, 0);
}

TEST_F(DamagedStoreCommand, TrainingAndAxisStopOrSkip) {
    const std::string train = "train --stores " + path("a.sgt") +
                              " --accumulators 64 --dims 8 --batch 16 --steps 3 --threads 1 "
                              "--held-out 0.3 --validation-moves 5 --out ";
    expect_rule(train + path("run"));
    expect_rule("axis --model " + path("run/model.safetensors") + " --data " + path("a.sgt") +
                " --whole --moves 5 --out " + path("with-axis.safetensors"));
}

TEST_F(DamagedStoreCommand, AddingToADamagedStoreStopsOrSkips) {
    std::ofstream(path("in.tsv"))
        << "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1\t-31\n";
    const std::string import = "data import " + path("in.tsv") + " --append --out " + path("a.sgt");
    const auto size = std::filesystem::file_size(path("a.sgt"));
    const Finished stopped = run_solis(import);
    EXPECT_EQ(stopped.exit_code, 1);
    EXPECT_NE(stopped.errors.find(place()), std::string::npos) << stopped.errors;
    EXPECT_EQ(std::filesystem::file_size(path("a.sgt")), size);
    const Finished skipped = run_solis(import + " --skip-damaged");
    EXPECT_EQ(skipped.exit_code, 0);
    EXPECT_NE(skipped.errors.find("a.sgt stays damaged, " + place()), std::string::npos)
        << skipped.errors;
}

// They have no --skip-damaged: the hint names what they take.
TEST_F(DamagedStoreCommand, CommandsOfTheSpaceStopAndNameTheWayOut) {
    for (const std::string& command :
         {"map --kind axis --count 100 --out " + path("map.svg") + " ",
          "trace --kind axis --count 100 --out " + path("trace.svg") + " --cloud ",
          std::string("similar startpos --in "), std::string("space --count 100 ")}) {
        const Finished stopped = run_solis(command + path("a.sgt"));
        EXPECT_EQ(stopped.exit_code, 1) << command << "\n" << stopped.errors;
        EXPECT_NE(stopped.errors.find("a.sgt' is damaged, " + place()), std::string::npos)
            << command << "\n"
            << stopped.errors;
        EXPECT_NE(stopped.errors.find("hint:  solis data merge --skip-damaged"), std::string::npos)
            << command << "\n"
            << stopped.errors;
    }
}

TEST_F(DamagedStoreCommand, TwoRunsInOneFolderAreRefused) {
    const std::string train = "train --skip-damaged --stores " + path("a.sgt") +
                              " --accumulators 64 --dims 8 --batch 16 --threads 1 --held-out 0.3 "
                              "--validation-moves 5 --out " +
                              path("run");
    // The first one runs until the second one has been refused.
    const Finished both =
        run_solis(train + " --steps 1000000 & for i in $(seq 600); do [ -e " +
                  path("run/config.toml") + " ] && break; sleep 0.05; done; " SOLIS_BINARY " " +
                  train + " --steps 3 2>&1; code=$?; kill -TERM $!; wait $!; exit $code");
    EXPECT_EQ(both.exit_code, 1) << both.output << both.errors;
    EXPECT_NE(both.output.find("another process is training in"), std::string::npos) << both.output;
}

}  // namespace
}  // namespace solis::cli
