// From PGN text to results and pairs.
#include "solis/lab/rating/pgn_results.h"

#include <string>

#include <gtest/gtest.h>

namespace solis::lab {
namespace {

std::string game(const std::string& white, const std::string& black, const std::string& result,
                 const std::string& round = "?", const std::string& fen = "") {
    std::string text = "[White \"" + white + "\"]\n[Black \"" + black + "\"]\n[Round \"" + round +
                       "\"]\n[Result \"" + result + "\"]\n";
    if (!fen.empty()) text += "[SetUp \"1\"]\n[FEN \"" + fen + "\"]\n";
    return text + "\n" + result + "\n\n";
}

PgnResults read(const std::string& text) {
    const auto source = memory_source(text);
    PgnResults results;
    EXPECT_TRUE(read_pgn_results(*source, results));
    return results;
}

const std::string kEndgame = "8/8/8/4k3/8/8/4P3/4K3 w - - 0 1";

TEST(PgnResults, PairsGamesWithColoursReversed) {
    const PgnResults results =
        read(game("A", "B", "1-0") + game("B", "A", "1/2-1/2") + game("A", "B", "0-1"));
    ASSERT_EQ(results.table.encounters().size(), 1u);
    const Encounter& games = results.table.encounters()[0];
    EXPECT_EQ(games.all().games(), 3);
    EXPECT_EQ(games.all().points(), 1.5);
    EXPECT_EQ(games.pair_count(), 1);
    EXPECT_EQ(games.pairs[2][1], 1);  // won with White, drew with Black
    EXPECT_EQ(games.single_as_white().losses(), 1);
}

TEST(PgnResults, PairsOnlyGamesFromTheSamePosition) {
    EXPECT_EQ(read(game("A", "B", "1-0", "?", kEndgame) + game("B", "A", "1-0"))
                  .table.encounters()[0]
                  .pair_count(),
              0);
}

TEST(PgnResults, PrefersPartnersOfTheSameRound) {
    // In the order of the file the first two would be a pair.
    const PgnResults results = read(game("A", "B", "1-0", "1.1") + game("B", "A", "1-0", "2.1") +
                                    game("B", "A", "0-1", "1.2") + game("A", "B", "0-1", "2.2"));
    const Encounter& games = results.table.encounters()[0];
    EXPECT_EQ(games.pairs[2][2], 1);
    EXPECT_EQ(games.pairs[0][0], 1);
}

TEST(PgnResults, LeavesOutWhatHasNoResultOrPlayers) {
    const PgnResults results = read(game("A", "B", "*") + game("A", "A", "1-0") +
                                    game("?", "B", "1-0") + game("A", "B", "1-0"));
    EXPECT_EQ(results.games, 4u);
    EXPECT_EQ(results.unfinished, 1u);
    EXPECT_EQ(results.self_play, 1u);
    EXPECT_EQ(results.unnamed, 1u);
    EXPECT_EQ(results.table.games(), 1);
}

TEST(PgnResults, BrokenMovesDoNotLoseAResult) {
    const PgnResults results =
        read("[White \"A\"]\n[Black \"B\"]\n[Result \"0-1\"]\n\n1. e4 e5 2. Ke5 0-1\n\n" +
             game("B", "A", "1-0"));
    EXPECT_EQ(results.broken_count, 1u);
    EXPECT_EQ(results.table.games(), 2);
    EXPECT_EQ(results.table.encounters()[0].all().points(), 0);
}

TEST(ResultTable, TheOtherSideSeesTheSameGames) {
    ResultTable table;
    const std::size_t a = table.player("a"), b = table.player("b");
    table.add_pair(b, a, HalfPoints::Win, HalfPoints::Draw);
    table.add_game(a, b, HalfPoints::Win);
    const Encounter& games = table.encounters()[0];
    EXPECT_EQ(games.pairs[1][0], 1);  // a drew with White and lost with Black
    const Encounter other = games.seen_from_the_other_side();
    EXPECT_EQ(other.pairs[2][1], 1);
    EXPECT_EQ(other.all().points() + games.all().points(), 3);
    EXPECT_EQ(other.single_as_black().losses(), 1);
    EXPECT_EQ(table.total_of(b).points(), 1.5);
}

}  // namespace
}  // namespace solis::lab
