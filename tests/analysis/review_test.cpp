// Tests of analysis/review.
#include "solis/analysis/review/review.h"

#include <gtest/gtest.h>

#include "solis/analysis/review/report.h"
#include "solis/base/byte_source.h"
#include "solis/chess/pgn/reader.h"
#include "solis/chess/pgn/writer.h"
#include "solis/chess/san.h"

namespace solis::analysis {
namespace {

chess::PgnGame game_of(std::string_view text) {
    const auto source = memory_source(text);
    chess::PgnReader reader(*source);
    chess::PgnGame game;
    EXPECT_EQ(*reader.next(game), chess::PgnOutcome::Game) << reader.error().message;
    return game;
}

// An analysis that would play `san` with that chance for White.
Analysis seeing(const chess::Game& game, const char* san, double p,
                std::optional<int> mate = std::nullopt) {
    Analysis analysis;
    Verdict verdict;
    verdict.win_probability = p;
    verdict.mate = mate;
    analysis.lines.push_back({verdict, {*chess::parse_san(game.position(), san)}});
    return analysis;
}

TEST(Review, JudgesMovesByWhatTheyCostTheirSide) {
    GameReview review(game_of("1. e4 e5 2. Qh5 Ke7 3. Qxe5# 1-0"));
    EXPECT_EQ(review.add(seeing(*review.next(), "d4", 0.55)), nullptr);
    // White gains by Black's analysis changing its mind: no loss, and no credit.
    const ReviewedMove* move = review.add(seeing(*review.next(), "e5", 0.60));
    ASSERT_NE(move, nullptr);
    EXPECT_EQ(move->ply, 1u);
    EXPECT_EQ(move->loss, 0);
    EXPECT_NEAR(move->accuracy, 100, 0.01);
    move = review.add(seeing(*review.next(), "Nf3", 0.58));
    EXPECT_EQ(move->loss, 0) << "e5 was what the analysis wanted";
    move = review.add(seeing(*review.next(), "Nc6", 0.45));
    EXPECT_NEAR(move->loss, 0.13, 1e-9);
    EXPECT_EQ(move->judgement, Judgement::Inaccuracy);
    move = review.add(seeing(*review.next(), "Qxe5#", 1.0, 1));
    EXPECT_NEAR(move->loss, 0.55, 1e-9);
    EXPECT_EQ(move->judgement, Judgement::Blunder);
    ASSERT_NE(review.next(), nullptr);
    move = review.add({});
    EXPECT_EQ(move->p, 1) << "the rules say how it ended";
    EXPECT_EQ(move->loss, 0);
    EXPECT_EQ(review.next(), nullptr);
    EXPECT_EQ(review.moves().size(), 5u);
    const SideSummary white = review.summary(chess::Color::White);
    EXPECT_EQ(white.moves, 3u);
    EXPECT_EQ(white.inaccuracies, 1u);
    EXPECT_EQ(review.summary(chess::Color::Black).blunders, 1u);
    const auto points = review.key_points(1);
    ASSERT_EQ(points.size(), 1u);
    EXPECT_EQ(points[0].text,
              "2... Ke7?? allows a mate in 1; before, the game is even (45 %). Better was Nc6.");
    EXPECT_EQ(review.key_points(9)[0].text,
              "2. Qh5?! costs 13 %: before, White is slightly better (58 %); now the game is even "
              "(45 %). Better was Nf3.");
    const std::string pgn = chess::to_pgn(review.annotated_game());
    EXPECT_NE(pgn.find("Ke7 $4"), std::string::npos) << pgn;
}

TEST(Review, AMissedMateIsCalledOne) {
    GameReview review(game_of("[FEN \"6k1/5ppp/8/8/8/8/8/K2R4 w - - 0 1\"]\n\n1. Rd2 *"));
    (void)review.add(seeing(*review.next(), "Rd8#", 1.0, 1));
    const ReviewedMove* move = review.add(seeing(*review.next(), "h6", 0.55));
    EXPECT_EQ(describe(*move),
              "1. Rd2?? misses a mate in 1; now the game is even (55 %). Better was Rd8#.");
}

TEST(Review, AccuracyFallsFromAHundred) {
    EXPECT_NEAR(move_accuracy(0), 100, 0.01);
    EXPECT_GT(move_accuracy(0.02), move_accuracy(0.1));
    EXPECT_LT(move_accuracy(0.9), 1);
}

TEST(Review, ReportsNeedNothingFromOutside) {
    GameReview review(game_of("[White \"<script>alert(1)</script>\"]\n\n1. e4 e5 *"));
    (void)review.add(seeing(*review.next(), "d4", 0.55));
    (void)review.add(seeing(*review.next(), "c5", 0.56));
    (void)review.add(seeing(*review.next(), "Nf3", 0.95));
    for (const std::string& text :
         {review_html(review, "default"), review_svg(review, ReportTheme::Dark)}) {
        EXPECT_EQ(text.find("<script"), std::string::npos);
        EXPECT_EQ(text.find("src="), std::string::npos);
        EXPECT_EQ(text.find("href="), std::string::npos);
    }
    EXPECT_NE(review_html(review, "default").find("1... e5??"), std::string::npos);
}

}  // namespace
}  // namespace solis::analysis
