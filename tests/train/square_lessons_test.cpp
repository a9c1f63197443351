// What squares have to teach.
#include "solis/train/square_lessons.h"

#include <cmath>

#include <gtest/gtest.h>

#include "solis/chess/fen.h"

namespace solis::train {
namespace {

constexpr std::size_t kRowsOfAPosition = 78;

class SquareLessonsTest : public testing::Test {
  protected:
    void answer(std::string_view fen, const char* teacher) {
        TrainConfig config;
        config.encoder = "transformer";
        config.lessons = 1;
        config.teacher = teacher;
        auto opened = SquareLessons::open(config);
        ASSERT_TRUE(opened) << opened.error().message;
        const auto position = chess::parse_fen(fen);
        ASSERT_TRUE(position);
        // Second of two, so that places in the batch count.
        const std::vector<chess::Position> batch{*chess::parse_fen(chess::kStartFen), *position};
        answers_ = (*opened)->answers(batch);
        ASSERT_EQ(answers_.size(), 2 * kRowsOfAPosition * nn::kQuestions);
    }
    // Tokens: CLS, side to move, a8 ... h1.
    [[nodiscard]] float at(std::size_t row, std::size_t question) const {
        return answers_[(kRowsOfAPosition + row) * nn::kQuestions + question];
    }
    [[nodiscard]] float on(const char* square, std::size_t question) const {
        const auto rank = static_cast<std::size_t>('8' - square[1]);
        const auto file = static_cast<std::size_t>(square[0] - 'a');
        return at(2 + 8 * rank + file, question);
    }

    std::vector<float> answers_;
};

constexpr const char* kRookAndPawn = "4k3/8/8/8/p7/8/8/R3K3 w - - 0 1";
constexpr std::size_t kWhiteRook = 3, kWhiteKing = 5, kBlackPawn = 6, kWorthOfPiece = 12;

TEST_F(SquareLessonsTest, AttacksFollowTheRules) {
    answer(kRookAndPawn, "");
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

TEST_F(SquareLessonsTest, TheTeacherSaysWhatPiecesAreWorth) {
    answer(kRookAndPawn, "default");
    EXPECT_GT(on("a1", kWorthOfPiece), 0.1f) << "a white rook is good for White";
    EXPECT_TRUE(std::isnan(on("e1", kWorthOfPiece))) << "kings stay";
    EXPECT_TRUE(std::isnan(on("c3", kWorthOfPiece))) << "nothing stands there";
    answer(chess::kStartFen, "default");
    EXPECT_GT(on("d1", kWorthOfPiece), 1.0f);
    EXPECT_LT(on("d8", kWorthOfPiece), -1.0f) << "a black queen is bad for White";
    answer("4k3/p7/8/8/4N3/8/8/4RK2 w - - 0 1", "default");
    EXPECT_TRUE(std::isnan(on("e4", kWorthOfPiece))) << "without it Black is in check";
    EXPECT_FALSE(std::isnan(on("e1", kWorthOfPiece)));
    EXPECT_TRUE(std::isnan(on("a7", kWorthOfPiece))) << "without it another encoder speaks";
}

TEST(SquareLessons, AMissingTeacherIsAnError) {
    TrainConfig config;
    config.lessons = 1;
    config.teacher = "no/such.safetensors";
    const auto opened = SquareLessons::open(config);
    ASSERT_FALSE(opened);
    EXPECT_NE(opened.error().message.find("the teacher"), std::string::npos);
}

TEST(SquareLessons, LessonsAreMeansOverBoardAndBatch) {
    TrainConfig config;
    config.lessons = 2;
    const auto opened = SquareLessons::open(config);
    ASSERT_TRUE(opened);
    const nn::Questions questions = (*opened)->questions(10);
    float sum = 0;
    for (std::size_t q = 0; q < 12; ++q) sum += 64 * questions[q].weight;
    EXPECT_NEAR(sum, 0.2f, 1e-6f);
    EXPECT_EQ(questions[12].weight, 0) << "no teacher";
}

}  // namespace
}  // namespace solis::train
