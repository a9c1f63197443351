// rank, embed, axis and train as a user runs them, with the embedded model.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "solis/nn/io/npz.h"
#include "tests/base/temporary_folder.h"
#include "tests/cli/run_solis.h"

namespace solis::cli {
namespace {

using Json = nlohmann::json;

TEST(Rank, MateComesFirstWithCertainty) {
    const Finished run = run_solis(
        "rank --json 'r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4'");
    ASSERT_EQ(run.exit_code, 0) << run.errors;
    const Json report = Json::parse(run.output);
    EXPECT_EQ(report["moves"][0]["san"], "Qxf7#");
    EXPECT_EQ(report["moves"][0]["win_probability"], 1.0);
}

// Having the move is no advantage beyond what the best move gains.
TEST(Rank, TheStartPositionAndItsBestMoveAgree) {
    const Json report = Json::parse(run_solis("rank --json startpos").output);
    EXPECT_NEAR(report["win_probability"].get<double>(),
                report["moves"][0]["win_probability"].get<double>(), 0.02);
}

TEST(Rank, TheEndingsEncoderRanksItsEndings) {
    const Finished run = run_solis("rank --top 1 '8/8/8/3k4/8/8/8/KQ6 w - - 0 1'");
    ASSERT_EQ(run.exit_code, 0) << run.errors;
    EXPECT_NE(run.output.find("%  (endings encoder)\n"), std::string::npos) << run.output;
    const Json report =
        Json::parse(run_solis("rank --json '8/8/8/3k4/8/8/8/KQ6 w - - 0 1'").output);
    EXPECT_TRUE(report["ending"].get<bool>());
    EXPECT_TRUE(report["moves"][0]["ending"].get<bool>());
    EXPECT_GT(report["win_probability"].get<double>(), 0.97);
}

TEST(Rank, IsTheSameForBothColours) {
    const Json white = Json::parse(
        run_solis("rank --json 'r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3'")
            .output);
    const Json black = Json::parse(
        run_solis("rank --json 'rnbqkb1r/pppp1ppp/5n2/4p3/4P3/2N5/PPPP1PPP/R1BQKBNR b KQkq - 2 3'")
            .output);
    EXPECT_EQ(white["score"].get<double>(), -black["score"].get<double>());
    ASSERT_EQ(white["moves"].size(), black["moves"].size());
    for (std::size_t i = 0; i < white["moves"].size(); ++i) {
        EXPECT_EQ(white["moves"][i]["score"].get<double>(),
                  -black["moves"][i]["score"].get<double>())
            << i;
    }
}

TEST(Rank, BadPositionIsAnErrorAndTheOthersAreStillRanked) {
    const Finished run = run_solis("rank nonsense startpos");
    EXPECT_EQ(run.exit_code, 1);
    EXPECT_NE(run.errors.find("error: FEN 'nonsense'"), std::string::npos) << run.errors;
    EXPECT_NE(run.output.find("White wins"), std::string::npos);
}

TEST(Embed, NpzHoldsUnitVectorsOfEveryPositionOfTheGames) {
    const TemporaryFolder folder;
    const std::filesystem::path out = folder / "embed.npz";
    const Finished run =
        run_solis("embed " SOLIS_TEST_FILES "/paper_games.pgn --out " + out.string());
    ASSERT_EQ(run.exit_code, 0) << run.errors;
    const auto arrays = nn::read_npz(out);
    ASSERT_TRUE(arrays);
    ASSERT_EQ((*arrays)[0].name, "embeddings");
    const auto& z = std::get<std::vector<float>>((*arrays)[0].array.values);
    const std::size_t rows = (*arrays)[0].array.shape[0], dims = (*arrays)[0].array.shape[1];
    EXPECT_EQ(rows, 1163u + 9u);  // plies and starts of nine games
    for (std::size_t row = 0; row < rows; ++row) {
        float length = 0;
        for (std::size_t i = 0; i < dims; ++i) length += z[row * dims + i] * z[row * dims + i];
        ASSERT_NEAR(length, 1.0f, 1e-4f) << row;
    }
    std::filesystem::remove(out);
}

TEST(Embed, StoresGiveFensLabelsAndTheAxis) {
    const TemporaryFolder folder;
    const std::string store = folder / "two.sgt", out = folder / "two.npz";
    ASSERT_EQ(run_solis("data import - --format tsv --out " + store +
                        " <<'END'\n"
                        "8/5k2/8/3P4/8/2K5/8/8 b - - 0 1\t-100\n"
                        "4k3/8/8/8/8/8/8/R3K3 w - - 0 1\t31980\n"
                        "END")
                  .exit_code,
              0);
    const Finished run = run_solis("embed " + store + " --out " + out);
    ASSERT_EQ(run.exit_code, 0) << run.errors;
    EXPECT_NE(run.errors.find("1 of the scores are the endings encoder's"), std::string::npos)
        << run.errors;
    const auto arrays = nn::read_npz(out);
    ASSERT_TRUE(arrays);
    std::map<std::string, nn::NpyArray> by_name;
    for (const nn::NamedArray& named : *arrays) by_name[named.name] = named.array;
    EXPECT_EQ(std::get<std::vector<std::string>>(by_name["fens"].values),
              (std::vector<std::string>{"8/5k2/8/3P4/8/2K5/8/8 b - - 0 1",
                                        "4k3/8/8/8/8/8/8/R3K3 w - - 0 1"}));
    const auto labels = std::get<std::vector<float>>(by_name["labels"].values);
    EXPECT_NEAR(labels[0], 0.591f, 1e-3f);  // White's view of -100 for Black
    EXPECT_EQ(labels[1], 1.0f);
    EXPECT_EQ(std::get<std::vector<std::int32_t>>(by_name["endings"].values),
              (std::vector<std::int32_t>{0, 1}));
    EXPECT_EQ(by_name["axis"].shape, by_name["mu_white"].shape);
    EXPECT_EQ(by_name["axis"].shape[0], by_name["embeddings"].shape[1]);
    // The endings encoder knows that the rook wins.
    EXPECT_GT(std::get<std::vector<float>>(by_name["win_probabilities"].values)[1], 0.97f);
}

TEST(Axis, NeverReplacesItsInputUnasked) {
    const Finished run = run_solis("axis --model " SOLIS_TEST_FILES
                                   "/../../models/default.safetensors --data nowhere.sgt");
    EXPECT_EQ(run.exit_code, 2);
    EXPECT_EQ(run.errors,
              "error: where shall the model be written?\n"
              "hint:  name a file: --out FILE, or replace the model itself: --force\n");
    EXPECT_EQ(
        run_solis("axis --model " SOLIS_TEST_FILES
                  "/../../models/default.safetensors --data nowhere.sgt --out " SOLIS_TEST_FILES
                  "/../../models/default.safetensors")
            .exit_code,
        1);
}

TEST(Axis, SaysWhereFiguresComeFromTooFewPositions) {
    const TemporaryFolder folder;
    const std::string store = folder / "few.sgt", out = folder / "few.safetensors";
    ASSERT_EQ(run_solis("data import - --format tsv --out " + store +
                        " <<'END'\n"
                        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\t30\n"
                        "rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\t900\n"
                        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNB1KBNR w KQkq - 0 1\t-900\n"
                        "1nbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQk - 0 1\t500\n"
                        "END")
                  .exit_code,
              0);
    const Finished run = run_solis("axis --keep-axis --whole --threads 1 --model " SOLIS_TEST_FILES
                                   "/../../models/default.safetensors --data " +
                                   store + " --out " + out);
    ASSERT_EQ(run.exit_code, 0) << run.errors;
    EXPECT_NE(run.output.find("positions          4  (too few positions for a figure: use 100 or "
                              "more)\n"),
              std::string::npos)
        << run.output;
    EXPECT_NE(run.output.find("best move          no position with a known best move\n"),
              std::string::npos)
        << run.output;
}

TEST(Embed, TextHasOneLinePerPosition) {
    const Finished run = run_solis(
        "embed - <<'END'\n"
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\n"
        "8/8/8/4k3/8/8/4P3/4K3 w - -\n"
        "END");
    ASSERT_EQ(run.exit_code, 0) << run.errors;
    EXPECT_EQ(std::count(run.output.begin(), run.output.end(), '\n'), 3);
    EXPECT_EQ(run.output.find("fen\tscore\twin_probability\tz0"), 0u);
}

TEST(Train, WithoutStoresIsWrongUsageWithAHint) {
    const Finished run = run_solis("train --out nowhere");
    EXPECT_EQ(run.exit_code, 2);
    EXPECT_EQ(run.errors,
              "error: no stores to train on\n"
              "hint:  name one: solis train --stores FILE (make one with solis label)\n");
}

TEST(Train, PrintedConfigIsTheEffectiveOne) {
    const Finished run = run_solis("train --preset swift-quick --batch 256 --print-config");
    EXPECT_EQ(run.exit_code, 0);
    EXPECT_NE(run.output.find("batch = 256\n"), std::string::npos);
    EXPECT_NE(run.output.find("accumulators = 128\n"), std::string::npos);
}

TEST(Train, ATeacherThatIsNoNetIsThatOfTheAuxiliaryLossAsBefore) {
    const Finished old = run_solis("train --preset mini-cpu --teacher default --print-config");
    EXPECT_EQ(old.exit_code, 0);
    EXPECT_NE(old.output.find("\nteacher = \"\"\n"), std::string::npos);
    EXPECT_NE(old.output.find("\nauxiliary_teacher = \"default\"\n"), std::string::npos);
    const Finished net = run_solis("train --preset mini-cpu --teacher net.nnue --print-config");
    EXPECT_NE(net.output.find("\nteacher = \"net.nnue\"\n"), std::string::npos);
    EXPECT_NE(net.output.find("\nauxiliary_teacher = \"default\"\n"), std::string::npos);
}

TEST(Train, RefusesABadNetInTheWordsOfLabel) {
    const TemporaryFolder folder;
    const std::string net = (folder / "bad.nnue").string();
    const std::string games = (folder / "games.pgn").string();
    std::ofstream(net) << "no net";
    std::ofstream(games) << "1. e4 e5 *\n";
    const std::string out = " --out " + (folder / "out").string();
    const Finished train = run_solis("train --teacher " + net + " --stores none.sgt" + out);
    const Finished label = run_solis("label --teacher " + net + " --from " + games + out);
    EXPECT_EQ(train.exit_code, 1);
    EXPECT_EQ(label.exit_code, 1);
    EXPECT_NE(train.errors.find("bad.nnue"), std::string::npos);
    EXPECT_EQ(train.errors, label.errors);
}

}  // namespace
}  // namespace solis::cli
