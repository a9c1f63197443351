// Annotations replace old evaluations and keep everything else.
#include "solis/analysis/annotate.h"

#include "solis/chess/pgn/writer.h"
#include "tests/chess/read_pgn.h"
#include "tests/planner/fake_model.h"

namespace solis::analysis {
namespace {

Analyst shallow_analyst() {
    planner::Settings settings;
    settings.hash_megabytes = 1;
    planner::Limits limits;
    limits.depth = 3;
    return {planner::Planner(std::make_shared<const planner::RandomModel>(3), settings), limits};
}

constexpr const char* kFoolsMate =
    "[White \"A\"]\n\n1. f3 {[%eval 9.99] a quiet start} e5 $1 2. g4 (2. e4 {better}) Qh4# 0-1\n";

TEST(Annotate, EveryMoveButTheMatingOneGetsAnEval) {
    const chess::PgnGame game = chess::read_one(kFoolsMate);
    Analyst analyst = shallow_analyst();
    const auto moves = judge_game(game, analyst, [](std::size_t) { return true; });
    ASSERT_EQ(moves.size(), 4u);
    EXPECT_EQ(moves[2].verdict->mate, -1);
    EXPECT_EQ(moves[2].judgement, Judgement::Blunder);
    EXPECT_FALSE(moves[3].verdict) << "the game is over";
    const std::string text = chess::to_pgn(annotated(game, moves));
    EXPECT_EQ(text.find("9.99"), std::string::npos) << text;
    EXPECT_EQ(text.find("$1 "), std::string::npos) << text;
    EXPECT_NE(text.find("a quiet start"), std::string::npos) << text;
    EXPECT_NE(text.find("better"), std::string::npos) << text;
    EXPECT_NE(text.find("blunder;"), std::string::npos) << text;
}

TEST(Annotate, WhatWasNotJudgedKeepsItsNotes) {
    const chess::PgnGame game = chess::read_one(kFoolsMate);
    Analyst analyst = shallow_analyst();
    const auto moves = judge_game(game, analyst, [](std::size_t n) { return n <= 1; });
    ASSERT_EQ(moves.size(), 1u);
    const std::string text = chess::to_pgn(annotated(game, moves));
    EXPECT_NE(text.find("e5 $1"), std::string::npos) << text;
    EXPECT_NE(text.find("Qh4#"), std::string::npos) << text;
}

}  // namespace
}  // namespace solis::analysis
