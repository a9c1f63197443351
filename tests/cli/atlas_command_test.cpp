// The commands of the atlas as a user runs them.
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include "tests/cli/run_solis.h"

namespace solis::cli {
namespace {

constexpr const char* kTwoGames = R"pgn([White "Ann"]
[Black "Bob"]
[Result "1-0"]

1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7# 1-0

[White "Bob"]
[Black "Cid"]
[Result "0-1"]

1. f3 e5 2. g4 Qh4# 0-1
)pgn";

class AtlasCommand : public testing::Test {
  protected:
    void SetUp() override {
        std::filesystem::remove_all(folder_);
        std::filesystem::create_directories(folder_);
        std::ofstream(path("games.pgn")) << kTwoGames;
    }
    void TearDown() override { std::filesystem::remove_all(folder_); }

    [[nodiscard]] std::string path(const std::string& name) const { return folder_ / name; }
    [[nodiscard]] static std::string content(const std::string& file) {
        std::ifstream in(file, std::ios::binary);
        return {std::istreambuf_iterator<char>(in), {}};
    }

    std::filesystem::path folder_ =
        std::filesystem::path(testing::TempDir()) /
        ("solis_atlas_" + std::to_string(::getpid()));  // tests run at the same time
};

TEST_F(AtlasCommand, MapNeedsNoInputAndWritesWhatTheNamesSay) {
    const Finished run =
        run_solis("map --count 400 --epochs 20 --json --out " + path("m.svg") + " --out " +
                  path("m.png") + " --out " + path("m.html") + " --out " + path("m.npz") +
                  " --out " + path("m.json") + " --save " + path("m.map"));
    ASSERT_EQ(run.exit_code, 0) << run.errors;
    const auto report = nlohmann::json::parse(run.output);
    EXPECT_EQ(report["positions"], 400);
    EXPECT_GT(report["trustworthiness"], 0.8);
    EXPECT_EQ(content(path("m.svg")).substr(0, 4), "<svg");
    EXPECT_EQ(content(path("m.png")).substr(1, 3), "PNG");
    EXPECT_EQ(content(path("m.html")).substr(0, 9), "<!doctype");
    EXPECT_EQ(nlohmann::json::parse(content(path("m.json"))).size(), 400u);
    EXPECT_EQ(content(path("m.map")).substr(0, 8), "SOLISMAP");
}

TEST_F(AtlasCommand, MapIsTheSameForAnyNumberOfThreads) {
    for (const char* threads : {"1", "3"}) {
        const Finished run = run_solis(std::string("map --count 300 --epochs 20 --threads ") +
                                       threads + " --save " + path(threads));
        ASSERT_EQ(run.exit_code, 0) << run.errors;
    }
    EXPECT_EQ(content(path("1")), content(path("3")));
}

TEST_F(AtlasCommand, TraceGoesOverASavedMap) {
    ASSERT_EQ(run_solis("map --count 300 --epochs 20 --save " + path("m.map")).exit_code, 0);
    const Finished run = run_solis("trace " + path("games.pgn") + " --json --map " + path("m.map") +
                                   " --out " + path("t.svg"));
    ASSERT_EQ(run.exit_code, 0) << run.errors;
    const auto report = nlohmann::json::parse(run.output);
    ASSERT_EQ(report["games"].size(), 2u);
    EXPECT_EQ(report["games"][0]["result"], "1-0");
    EXPECT_EQ(report["games"][0]["plies"].size(), 8u);
    EXPECT_EQ(report["games"][0]["plies"][7]["move"], "4.Qxf7#");
    EXPECT_NE(content(path("t.svg")).find("White wins"), std::string::npos);
}

TEST_F(AtlasCommand, AMapOfAnotherModelIsRefused) {
    ASSERT_EQ(run_solis("map --count 100 --epochs 5 --save " + path("m.map")).exit_code, 0);
    const Finished run = run_solis("map --map " + path("m.map") + " --model " + SOLIS_TEST_FILES +
                                   "/../../models/mini.safetensors --out " + path("x.svg"));
    EXPECT_EQ(run.exit_code, 1);
    EXPECT_NE(run.errors.find("the map is of another model"), std::string::npos) << run.errors;
}

TEST_F(AtlasCommand, SimilarFindsTheGameAndKeepsItsIndex) {
    const std::string ask = "similar --json --in " + path("games.pgn") +
                            " -n 1 rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq - 0 2";
    const Finished run = run_solis(ask);
    ASSERT_EQ(run.exit_code, 0) << run.errors;
    const auto report = nlohmann::json::parse(run.output);
    EXPECT_EQ(report["positions"], 13);
    EXPECT_EQ(report["similar"][0]["played"], "2...Qh4#");
    EXPECT_EQ(report["similar"][0]["name"], "Bob - Cid");
    EXPECT_NEAR(report["similar"][0]["similarity"], 1, 1e-5);
    EXPECT_TRUE(std::filesystem::exists(path("games.pgn.similar")));
    const Finished again = run_solis(ask);
    EXPECT_EQ(again.output, run.output);
    EXPECT_EQ(again.errors.find("wrote"), std::string::npos) << "the index is used again";
    std::filesystem::resize_file(path("games.pgn.similar"), 100);
    EXPECT_EQ(run_solis(ask).exit_code, 1);
}

TEST_F(AtlasCommand, ExplainNamesPiecesSquaresAndMoves) {
    const Finished run = run_solis("explain --json --out " + path("e.svg") +
                                   " 6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1");
    ASSERT_EQ(run.exit_code, 0) << run.errors;
    const auto report = nlohmann::json::parse(run.output);
    EXPECT_EQ(report["moves"][0]["san"], "Rd8#");
    EXPECT_EQ(report["moves"][0]["win_probability"], 1.0);
    EXPECT_EQ(report["pieces"][0]["square"], "d1");
    EXPECT_GT(report["pieces"][0]["worth"], 0) << "White's rook is good for White";
    EXPECT_EQ(content(path("e.svg")).substr(0, 4), "<svg");
}

TEST_F(AtlasCommand, SpaceHasAColumnPerModel) {
    const Finished run =
        run_solis("space --json --count 500 --games 5 --model default --model untrained");
    ASSERT_EQ(run.exit_code, 0) << run.errors;
    const auto report = nlohmann::json::parse(run.output);
    ASSERT_EQ(report["models"].size(), 2u);
    EXPECT_EQ(report["models"][1]["model"], "untrained");
    EXPECT_GT(report["models"][0]["step_angle"], 0);
    EXPECT_TRUE(report["models"][0]["axis_linear"].is_null()) << "generated games have no labels";
}

}  // namespace
}  // namespace solis::cli
