// What every square is asked beside the loss.
#include "solis/train/auxiliary_targets.h"

#include <cmath>

#include <gtest/gtest.h>

#include "solis/chess/fen.h"

namespace solis::train {
namespace {

constexpr std::size_t kRowsOfAPosition = 78;

class AuxiliaryTargetsTest : public testing::Test {
  protected:
    void open(std::string_view fen, const char* teacher, double moves = 0) {
        TrainConfig config;
        config.encoder.kind = EncoderKind::Transformer;
        config.auxiliary.weight = 1;
        config.auxiliary.teacher = teacher;
        config.auxiliary.moves = moves;
        auto opened = AuxiliaryTargets::open(config);
        ASSERT_TRUE(opened) << opened.error().message;
        const auto position = chess::parse_fen(fen);
        ASSERT_TRUE(position);
        // Second of two, so that places in the batch count.
        const std::vector<chess::Position> batch{*chess::parse_fen(chess::kStartFen), *position};
        targets_ = (*opened)->targets(batch);
        ASSERT_EQ(targets_.size(), 2 * kRowsOfAPosition * nn::kAuxiliaryTasks);
    }
    // Tokens: CLS, side to move, a8 ... h1.
    [[nodiscard]] float at(std::size_t row, std::size_t task) const {
        return targets_[(kRowsOfAPosition + row) * nn::kAuxiliaryTasks + task];
    }
    [[nodiscard]] float on(const char* square, std::size_t task) const {
        const auto rank = static_cast<std::size_t>('8' - square[1]);
        const auto file = static_cast<std::size_t>(square[0] - 'a');
        return at(2 + 8 * rank + file, task);
    }

    std::vector<float> targets_;
};

constexpr const char* kRookAndPawn = "4k3/8/8/8/p7/8/8/R3K3 w - - 0 1";
constexpr std::size_t kWhiteRook = 3, kWhiteKing = 5, kBlackPawn = 6, kWorthOfPiece = 12;
constexpr std::size_t kMoveFrom = 13, kMoveTo = 14, kThreatTo = 15;

TEST_F(AuxiliaryTargetsTest, AttacksFollowTheRules) {
    open(kRookAndPawn, "");
    EXPECT_EQ(on("a4", kWhiteRook), 1);
    EXPECT_EQ(on("a5", kWhiteRook), 0) << "behind the pawn";
    EXPECT_EQ(on("e1", kWhiteRook), 1) << "own pieces are protected";
    EXPECT_EQ(on("f1", kWhiteRook), 0);
    EXPECT_EQ(on("d2", kWhiteKing), 1);
    EXPECT_EQ(on("b3", kBlackPawn), 1);
    EXPECT_EQ(on("b5", kBlackPawn), 0);
    EXPECT_TRUE(std::isnan(at(0, 0))) << "CLS is no square";
    EXPECT_TRUE(std::isnan(at(1, 0)));
    EXPECT_TRUE(std::isnan(at(66, 0))) << "castling rights are none";
    EXPECT_TRUE(std::isnan(on("a1", kWorthOfPiece))) << "without a teacher nobody knows";
}

TEST_F(AuxiliaryTargetsTest, TheTeacherSaysWhatPiecesAreWorth) {
    open(kRookAndPawn, "default");
    EXPECT_GT(on("a1", kWorthOfPiece), 0.1f) << "a white rook is good for White";
    EXPECT_TRUE(std::isnan(on("e1", kWorthOfPiece))) << "kings stay";
    EXPECT_TRUE(std::isnan(on("c3", kWorthOfPiece))) << "nothing stands there";
    open(chess::kStartFen, "default");
    EXPECT_GT(on("d1", kWorthOfPiece), 1.0f);
    EXPECT_LT(on("d8", kWorthOfPiece), -1.0f) << "a black queen is bad for White";
    open("4k3/p7/8/8/4N3/8/8/4RK2 w - - 0 1", "default");
    EXPECT_TRUE(std::isnan(on("e4", kWorthOfPiece))) << "without it Black is in check";
    EXPECT_FALSE(std::isnan(on("e1", kWorthOfPiece)));
    EXPECT_TRUE(std::isnan(on("a7", kWorthOfPiece))) << "without it another encoder speaks";
}

// White's queen takes a rook for nothing. If Black were to move, the rook would get away, or be
// lost for a pawn. Scores know already that it hangs, so what is seen is what other moves lose.
TEST_F(AuxiliaryTargetsTest, TheTeacherSaysWhatMovesGain) {
    open("4k1n1/p7/8/3r4/8/1Q6/P2P4/4K3 w - - 0 1", "default", 1);
    EXPECT_GT(on("d5", kMoveTo), on("c4", kMoveTo) + 1) << "a rook is won there";
    EXPECT_FLOAT_EQ(on("b3", kMoveFrom), on("d5", kMoveTo)) << "the queen's best move";
    EXPECT_LT(on("d2", kMoveFrom), on("b3", kMoveFrom));
    EXPECT_TRUE(std::isnan(on("h8", kMoveTo))) << "nothing moves there";
    EXPECT_TRUE(std::isnan(on("c3", kMoveFrom))) << "nothing stands there";
    EXPECT_GE(on("d5", kMoveFrom), on("d8", kThreatTo)) << "if Black were to move";
    EXPECT_TRUE(std::isnan(on("b4", kThreatTo))) << "nothing of Black moves there";
}

TEST_F(AuxiliaryTargetsTest, GainsAreTheMovers) {
    open("4k3/p2p4/1q6/8/3R4/8/P7/4K1N1 b - - 0 1", "default", 1);
    EXPECT_GT(on("d4", kMoveTo), on("c5", kMoveTo) + 1) << "Black wins a rook there";
}

TEST_F(AuxiliaryTargetsTest, WhoIsInCheckCannotPass) {
    open("4k1n1/p7/8/8/8/8/3PP3/r3K1NR w - - 0 1", "default", 1);
    EXPECT_TRUE(std::isnan(on("g8", kMoveFrom)));
    EXPECT_TRUE(std::isnan(on("a2", kThreatTo)));
}

TEST_F(AuxiliaryTargetsTest, NothingIsWorthMoreThanMate) {
    open("6k1/5ppp/8/8/8/7N/5PPP/R5K1 w - - 0 1", "default", 1);
    EXPECT_GT(on("a8", kMoveTo), on("a7", kMoveTo) + 0.5f) << "mate on the last rank";
}

TEST_F(AuxiliaryTargetsTest, MovesAreNotAskedForUnlessTheyCount) {
    open(kRookAndPawn, "default");
    EXPECT_TRUE(std::isnan(on("a1", kMoveFrom)));
}

TEST(AuxiliaryTargets, AMissingTeacherIsAnError) {
    TrainConfig config;
    config.auxiliary.weight = 1;
    config.auxiliary.teacher = "no/such.safetensors";
    const auto opened = AuxiliaryTargets::open(config);
    ASSERT_FALSE(opened);
    EXPECT_NE(opened.error().message.find("the teacher"), std::string::npos);
}

TEST(AuxiliaryTargets, WeightsAreMeansOverBoardAndBatch) {
    TrainConfig config;
    config.auxiliary.weight = 2;
    const auto opened = AuxiliaryTargets::open(config);
    ASSERT_TRUE(opened);
    const nn::AuxiliaryTasks tasks = (*opened)->tasks(10);
    float sum = 0;
    for (std::size_t q = 0; q < 12; ++q) sum += 64 * tasks[q].weight;
    EXPECT_NEAR(sum, 0.2f, 1e-6f);
    EXPECT_EQ(tasks[12].weight, 0) << "no teacher";
    config.auxiliary.teacher = "default";
    config.auxiliary.moves = 0.5;
    const auto asked = AuxiliaryTargets::open(config);
    ASSERT_TRUE(asked);
    const nn::AuxiliaryTasks all = (*asked)->tasks(10);
    EXPECT_NEAR(32 * all[kMoveFrom].weight, 0.1f, 1e-6f);
    EXPECT_EQ(all[kMoveTo].weight, all[kThreatTo].weight);
}

}  // namespace
}  // namespace solis::train
