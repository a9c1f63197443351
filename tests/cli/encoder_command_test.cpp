// Encoders that run as processes, as a user plans with them, rates and maps them.
#include <cstdlib>
#include <filesystem>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "solis/base/rng.h"
#include "solis/chess/fen.h"
#include "solis/chess/movegen.h"
#include "tests/base/temporary_folder.h"
#include "tests/cli/run_solis.h"

namespace solis::cli {
namespace {

using Json = nlohmann::json;

constexpr const char* kHangingQueen = "'4k3/8/8/3q4/4P3/8/8/4K3 w - - 0 1'";

std::string encoder(const std::string& mode) {
    return " --encoder-command '" SOLIS_FAKE_ENCODER " " + mode + "' ";
}

int balance(const chess::Position& position) {
    int sum = 0;
    for (const auto& [type, value] :
         {std::pair{chess::PieceType::Pawn, 1}, std::pair{chess::PieceType::Knight, 3},
          std::pair{chess::PieceType::Bishop, 3}, std::pair{chess::PieceType::Rook, 5},
          std::pair{chess::PieceType::Queen, 9}}) {
        sum += value * (chess::count(position.pieces(chess::Color::White, type)) -
                        chess::count(position.pieces(chess::Color::Black, type)));
    }
    return sum;
}

// Random positions labelled by their material, for the side to move.
std::string labelled_rows() {
    std::string text;
    Rng rng(Seed{1});
    for (int game = 0; game < 40; ++game) {
        chess::Position position = chess::Position::start();
        for (int ply = 0; ply < 80; ++ply) {
            const chess::MoveList moves = chess::legal_moves(position);
            if (moves.empty()) break;
            position = position.after(moves[rng.below(moves.size())]);
            const int white = balance(position) * (std::abs(balance(position)) > 5 ? 1000 : 60);
            const bool white_moves = position.side_to_move() == chess::Color::White;
            text += fmt::format("{}\t{}\n", chess::to_fen(position), white_moves ? white : -white);
        }
    }
    return text;
}

class EncoderCommand : public ::testing::Test {
  protected:
    // A store, and the axis of the fake that behaves.
    static void SetUpTestSuite() {
        folder_ = new TemporaryFolder;
        const std::string rows = folder_->write("rows.tsv", labelled_rows());
        const Finished import = run_solis("data import " + rows + " --out " + store());
        ASSERT_EQ(import.exit_code, 0) << import.errors;
        const Finished fit = run_solis("axis --json --whole --data " + store() + " --out " +
                                       axis() + encoder("good"));
        ASSERT_EQ(fit.exit_code, 0) << fit.errors;
        EXPECT_GT(Json::parse(fit.output)["spearman"].get<double>(), 0.95) << fit.output;
    }
    static void TearDownTestSuite() {
        delete folder_;
        folder_ = nullptr;
    }

    static std::string store() { return *folder_ / "rows.sgt"; }
    static std::string axis() { return *folder_ / "fake.safetensors"; }
    static std::string model(const std::string& mode = "good") {
        return " --model " + axis() + encoder(mode);
    }
    static TemporaryFolder* folder_;
};
TemporaryFolder* EncoderCommand::folder_ = nullptr;

TEST_F(EncoderCommand, RanksAndAnalyzes) {
    const Finished rank = run_solis(std::string("rank --json ") + kHangingQueen + model());
    ASSERT_EQ(rank.exit_code, 0) << rank.errors;
    EXPECT_EQ(Json::parse(rank.output)["moves"][0]["san"], "exd5");
    const Finished analyze =
        run_solis(std::string("analyze --json --nodes 300 ") + kHangingQueen + model());
    ASSERT_EQ(analyze.exit_code, 0) << analyze.errors;
    EXPECT_NE(analyze.output.find("exd5"), std::string::npos) << analyze.output;
}

TEST_F(EncoderCommand, PlaysAsAnEngine) {
    const std::string position = "position fen 4k3/8/8/3q4/4P3/8/8/4K3 w - - 0 1\n";
    const std::string said = folder_->write("said", position + "go nodes 200\n");
    const Finished by_option = run_solis("uci " + model() + " < " + said);
    EXPECT_NE(by_option.output.find("bestmove e4d5"), std::string::npos) << by_option.output;
    const std::string options =
        folder_->write("options", "setoption name EncoderCommand value " SOLIS_FAKE_ENCODER
                                  " good\nisready\nsetoption name WeightsFile value " +
                                      axis() + "\n" + position + "go nodes 200\n");
    const Finished by_uci = run_solis("uci < " + options);
    EXPECT_NE(by_uci.output.find("bestmove e4d5"), std::string::npos) << by_uci.output;
    EXPECT_NE(by_uci.output.find("EncoderCommand is set and WeightsFile is not"), std::string::npos)
        << by_uci.output;
}

TEST_F(EncoderCommand, AFailureForfeitsTheMove) {
    const std::string said =
        folder_->write("said", "position startpos\ngo nodes 5000\ngo nodes 5000\nquit\n");
    const Finished run = run_solis("uci " + model("later-crash") + " < " + said);
    EXPECT_EQ(run.exit_code, 0) << run.errors;
    EXPECT_NE(run.output.find("was killed by signal 6"), std::string::npos) << run.output;
    EXPECT_NE(run.output.find("bestmove (none)"), std::string::npos) << run.output;
    EXPECT_EQ(run.output.find("bestmove a"), std::string::npos) << run.output;
}

TEST_F(EncoderCommand, EmbedsAndMaps) {
    const std::string out = *folder_ / "rows.npz", picture = *folder_ / "map.svg";
    const Finished embed = run_solis("embed " + store() + " --limit 50 --out " + out + model());
    ASSERT_EQ(embed.exit_code, 0) << embed.errors;
    EXPECT_NE(embed.errors.find("50 positions, 8 dimensions"), std::string::npos) << embed.errors;
    const Finished map =
        run_solis("map " + store() + " --count 60 --epochs 5 --out " + picture + model());
    ASSERT_EQ(map.exit_code, 0) << map.errors;
}

TEST_F(EncoderCommand, FailuresAreExitCodeOneAndLeaveNoFile) {
    const std::string out = *folder_ / "never";
    for (const std::string command :
         {"rank startpos", "analyze --nodes 100 startpos", "explain startpos"}) {
        const Finished run = run_solis(command + model("later-nan"));
        EXPECT_EQ(run.exit_code, 1) << command;
        EXPECT_NE(run.errors.find("not a number"), std::string::npos) << command << run.errors;
    }
    for (const std::string& command : {"embed " + store() + " --out " + out + ".npz",
                                       "map " + store() + " --count 50 --out " + out + ".svg"}) {
        const Finished run = run_solis(command + model("later-exit"));
        EXPECT_EQ(run.exit_code, 1) << command;
        EXPECT_NE(run.errors.find("exited with code 3"), std::string::npos)
            << command << run.errors;
    }
    const Finished fit = run_solis("axis --whole --data " + store() + " --out " + out +
                                   ".safetensors" + encoder("later-error"));
    EXPECT_EQ(fit.exit_code, 1);
    EXPECT_NE(fit.errors.find("out of memory"), std::string::npos) << fit.errors;
    for (const char* ending : {".npz", ".svg", ".safetensors"}) {
        EXPECT_FALSE(std::filesystem::exists(out + ending)) << ending;
    }
}

TEST_F(EncoderCommand, HangsEndAfterTheTimeout) {
    const Finished run =
        run_solis("rank startpos --encoder-timeout 0.5" + model("later-hang"), "timeout 60 ");
    EXPECT_EQ(run.exit_code, 1);
    EXPECT_NE(run.errors.find("waited 0.5 s for an answer"), std::string::npos) << run.errors;
    EXPECT_NE(run.errors.find("--encoder-timeout"), std::string::npos) << run.errors;
}

TEST_F(EncoderCommand, FileAndCommandBelongTogether) {
    const Finished alone = run_solis("rank startpos --model " + axis());
    EXPECT_EQ(alone.exit_code, 1);
    EXPECT_NE(alone.errors.find("--encoder-command"), std::string::npos) << alone.errors;
    const Finished without = run_solis("rank startpos" + encoder("good"));
    EXPECT_EQ(without.exit_code, 1);
    EXPECT_NE(without.errors.find("solis axis"), std::string::npos) << without.errors;
    const Finished other =
        run_solis("rank startpos --model " SOLIS_TEST_FILES "/../../models/default.safetensors" +
                  encoder("good"));
    EXPECT_EQ(other.exit_code, 1);
    EXPECT_NE(other.errors.find("has an encoder of its own (swift)"), std::string::npos);
    const Finished info = run_solis("model info " + axis());
    EXPECT_EQ(info.exit_code, 0) << info.errors;
    EXPECT_NE(info.output.find("process"), std::string::npos) << info.output;
}

}  // namespace
}  // namespace solis::cli
