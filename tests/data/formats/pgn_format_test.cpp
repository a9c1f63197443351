// [%eval] comments become scores of the positions they follow.
#include "solis/chess/uci_move.h"
#include "solis/data/formats/game_formats.h"
#include "tests/data/formats/format_helpers.h"

namespace solis::data {
namespace {

std::vector<LabelledGame> read_pgn(std::string_view text) {
    return all_games(*pgn_source("test", memory_source(text)));
}

TEST(PgnFormat, EvaluationsAreOfThePositionReachedAndTurnedToTheMover) {
    const auto games = read_pgn(
        "[Event \"x\"]\n[Result \"0-1\"]\n\n1. e4 { [%eval 0.17] [%clk 0:01:00] } 1... e5 "
        "{ [%eval -1.5,20] } 2. Nf3 Nc6 { [%eval #-4] } 3. Bb5 { [%eval #3] } 0-1\n");
    ASSERT_EQ(games.size(), 1u);
    const auto& line = games[0].line;
    ASSERT_EQ(line.size(), 6u);
    EXPECT_TRUE(line[0].score.is_none());
    EXPECT_EQ(line[1].score, Score::centipawns(-17)) << "Black to move";
    EXPECT_EQ(line[2].score, Score::centipawns(-150)) << "White to move";
    EXPECT_TRUE(line[3].score.is_none());
    EXPECT_EQ(line[4].score, Score::mated_in(4)) << "White to move, Black mates";
    EXPECT_EQ(line[5].score, Score::mated_in(3)) << "Black to move, White mates";
    EXPECT_EQ(games[0].result, GameResult::BlackWins);
}

TEST(PgnFormat, ShortVariationsWithEvaluationsAreBranches) {
    const auto games = read_pgn(
        "1. e4 ( 1. d4 { [%eval 0.3] } ) ( 1. f3 e5 { [%eval -0.9] } 2. g4 ) ( 1. c4 ) 1... e5 *");
    ASSERT_EQ(games.size(), 1u);
    const LabelledGame& game = games[0];
    ASSERT_EQ(game.branches.size(), 2u);
    EXPECT_EQ(game.line[0].branch_count, 2u);
    EXPECT_EQ(chess::to_uci(game.start, game.branches[0].first), "d2d4");
    EXPECT_EQ(game.branches[0].score, Score::centipawns(-30));
    EXPECT_FALSE(game.branches[1].second.is_none());
    EXPECT_EQ(game.branches[1].score, Score::centipawns(-90));
}

TEST(PgnFormat, GamesWithoutEvaluationsAreUnlabelledLines) {
    const auto games = read_pgn("1. e4 e5 1/2-1/2\n");
    ASSERT_EQ(games.size(), 1u);
    EXPECT_EQ(games[0].line.size(), 3u);
    for (const Ply& ply : games[0].line) EXPECT_TRUE(ply.score.is_none());
}

TEST(PgnFormat, ABrokenGameIsABadRowAndTheNextOneIsRead) {
    const auto source = pgn_source(
        "test", memory_source("[Event \"a\"]\n\n1. e4 Ke4 *\n\n[Event \"b\"]\n\n1. d4 *\n"));
    EXPECT_EQ(all_games(*source).size(), 1u);
    EXPECT_EQ(source->report().rows, 2u);
    EXPECT_EQ(source->report().bad_rows, 1u);
    EXPECT_TRUE(source->report().first_errors[0].starts_with("test: line 3"));
}

}  // namespace
}  // namespace solis::data
