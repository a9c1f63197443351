// solis data info, stats, head, split and merge on a small store.
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include "tests/base/temporary_folder.h"
#include "tests/cli/run_solis.h"

namespace solis::cli {
namespace {

class DataCommand : public testing::Test {
  protected:
    void SetUp() override {
        std::ofstream text(folder_ / "trees.txt");
        const std::string start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        for (const std::string move : {"a2a3", "b2b3", "c2c3", "d2d3", "e2e3", "f2f3"}) {
            text << start << " 20 (g1f3 b8c6 31) " << move << " -15 (g8f6 40) e7e5\n";
        }
        text.close();
        const Finished made =
            run_solis("data import " + path("trees.txt") + " --out " + path("a.sgt"));
        ASSERT_EQ(made.exit_code, 0) << made.errors;
    }
    [[nodiscard]] std::string path(const std::string& name) const {
        return (folder_ / name).string();
    }

    TemporaryFolder folder_;
};

TEST_F(DataCommand, InfoCountsGamesAndPositions) {
    const Finished run = run_solis("data info " + path("a.sgt"));
    EXPECT_EQ(run.exit_code, 0) << run.errors;
    EXPECT_NE(run.output.find("positions  30 (18 on lines, 12 in branches)"), std::string::npos)
        << run.output;
    EXPECT_NE(run.output.find("labels     24 "), std::string::npos) << run.output;
}

TEST_F(DataCommand, InfoFailsOnDamageAndNamesThePlace) {
    // The first game block is the second block of the file; its payload ends before the manifest.
    std::fstream file(folder_ / "a.sgt", std::ios::in | std::ios::out | std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(file), {}};
    const std::size_t games = bytes.find("SGTb", bytes.find("SGTb") + 4);
    file.clear();
    file.seekp(static_cast<std::streamoff>(games + 150)).put('\x7f');
    file.close();
    const Finished run = run_solis("data info " + path("a.sgt"));
    EXPECT_EQ(run.exit_code, 1);
    EXPECT_NE(run.output.find("damage     block 1 at byte " + std::to_string(games) + " (6 games)"),
              std::string::npos)
        << run.output;
    EXPECT_NE(run.output.find("checksum"), std::string::npos) << run.output;
}

TEST_F(DataCommand, HeadShowsMovesScoresAndBranches) {
    const Finished run = run_solis("data head -n 1 " + path("a.sgt"));
    EXPECT_EQ(run.exit_code, 0);
    EXPECT_NE(run.output.find("start    +0.20  (g1f3 b8c6 +0.31)"), std::string::npos)
        << run.output;
    EXPECT_NE(run.output.find("a2a3     -0.15  (g8f6 +0.40)"), std::string::npos) << run.output;
}

TEST_F(DataCommand, StatsFindDuplicates) {
    const Finished run = run_solis("data stats --json " + path("a.sgt"));
    EXPECT_EQ(run.exit_code, 0);
    // The start position and its branch come six times each.
    EXPECT_NE(run.output.find("\"duplicates\":10,"), std::string::npos) << run.output;
    EXPECT_NE(run.output.find("\"standard_starts\":6"), std::string::npos) << run.output;
}

TEST_F(DataCommand, SplitAndMergeGiveTheSameGamesBack) {
    const Finished split = run_solis("data split --validation 30 --test 30 " + path("a.sgt"));
    EXPECT_EQ(split.exit_code, 0) << split.errors;
    const Finished merged =
        run_solis("data merge " + path("b.sgt") + " " + path("a.train.sgt") + " " +
                  path("a.validation.sgt") + " " + path("a.test.sgt") + " " + path("a.sgt"));
    EXPECT_EQ(merged.exit_code, 0) << merged.errors;
    EXPECT_NE(merged.output.find("6 games, 24 labels, 6 duplicate games left out"),
              std::string::npos)
        << merged.output;
    const auto content = [&](const std::string& name) {
        const std::string text = run_solis("data info " + path(name)).output;
        return text.substr(text.find("content"));
    };
    EXPECT_EQ(content("b.sgt"), content("a.sgt"));
    EXPECT_EQ(run_solis("data merge " + path("b.sgt") + " " + path("a.sgt")).exit_code, 1)
        << "an existing file must not be overwritten";
}

}  // namespace
}  // namespace solis::cli
