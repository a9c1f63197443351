// What is counted in PGN files.
#include <gtest/gtest.h>

#include "solis/chess/pgn/stats.h"

namespace solis::chess {
namespace {

PgnStats stats_of(std::string_view text) {
    const auto source = memory_source(text);
    PgnReader reader(*source);
    PgnGame game;
    PgnStats stats;
    while (*reader.next(game) == PgnOutcome::Game) stats.add(game, reader);
    return stats;
}

TEST(PgnStats, CountsMovesVariationsNotesAndResults) {
    const PgnStats stats = stats_of(
        "[White \"A\"]\n[WhiteElo \"1800\"]\n[BlackElo \"?\"]\n[ECO \"C20\"]\n\n"
        "1. e4 {[%eval 0.3] good} e5 $1 (1... c5 2. Nf3) 2. Nf3 {[%clk 0:01:00]} 1-0\n\n"
        "[White \"B\"]\n[WhiteElo \"2000\"]\n[ECO \"C20\"]\n[Result \"0-1\"]\n\n1. d4 1/2-1/2\n");
    EXPECT_EQ(stats.games, 2u);
    EXPECT_EQ(stats.count(GameResult::WhiteWins), 1u);
    EXPECT_EQ(stats.plies, 4u);
    EXPECT_EQ(stats.longest, 3u);
    EXPECT_EQ(stats.variations, 1u);
    EXPECT_EQ(stats.variation_moves, 2u);
    EXPECT_EQ(stats.comments, 1u);
    EXPECT_EQ(stats.nags, 1u);
    EXPECT_EQ(stats.evals, 1u);
    EXPECT_EQ(stats.clocks, 1u);
    EXPECT_EQ(stats.differing_results, 1u);
    EXPECT_EQ(stats.rated_players, 2u);
    EXPECT_EQ(stats.elo_min, 1800);
    EXPECT_EQ(stats.elo_max, 2000);
    EXPECT_EQ(stats.eco.at("C20"), 2u);
}

}  // namespace
}  // namespace solis::chess
