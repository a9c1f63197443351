// Tree text: reads what it writes, refuses what is not chess.
#include "solis/data/formats/tree_text.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/data/random_games.h"

namespace solis::data {
namespace {

constexpr std::string_view kStart = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

TEST(TreeText, ReadsBackWhatItWrote) {
    Rng rng(Seed{21});
    for (int i = 0; i < 200; ++i) {
        LabelledGame game = random_game(rng, 40);
        game.result = GameResult::Unknown;  // has no place in the format
        for (Ply& ply : game.line) ply.second_look = Score();
        LabelledGame again;
        const std::string text = to_tree_text(game);
        const auto parsed = parse_tree_text(text, again);
        ASSERT_TRUE(parsed) << text << "\n" << parsed.error().message;
        ASSERT_EQ(again, game) << text;
    }
}

TEST(TreeText, KnowsMateStalemateAndAMissingLastValue) {
    LabelledGame game;
    const std::string mate =
        fmt::format("{} 20 f2f3 -50 e7e5 10 (h2h4 d8h4 ?) g2g4 31999 d8h4 #", kStart);
    ASSERT_TRUE(parse_tree_text(mate, game));
    EXPECT_EQ(game.line.back().score, Score::mated_in(0));
    EXPECT_EQ(game.line[3].score, Score::mate_in(1));
    ASSERT_EQ(game.branches.size(), 1U);
    EXPECT_TRUE(game.branches[0].score.is_none());
    EXPECT_EQ(to_tree_text(game), mate);

    const std::string stalemate = "7k/5Q2/8/6K1/8/8/8/8 w - - 0 1 900 (g5h6 #) g5g6 =";
    EXPECT_FALSE(parse_tree_text(stalemate, game)) << "g5h6 is no mate";
    ASSERT_TRUE(parse_tree_text("7k/5Q2/8/6K1/8/8/8/8 w - - 0 1 900 (f7f8 0) g5g6 =", game));
    EXPECT_EQ(game.line.back().score, Score::centipawns(0));

    ASSERT_TRUE(parse_tree_text(fmt::format("{} 20 e2e4", kStart), game));
    EXPECT_TRUE(game.line.back().score.is_none());
}

TEST(TreeText, BadLinesAreCountedAndQuotedWithTheirPlace) {
    const std::string good = fmt::format("{} 20 e2e4 -20", kStart);
    std::string text = good + "\r\n\n# a comment\n";
    for (const std::string_view tail :
         {"", " x", " 20 e2e5 3", " 20 (e2e4 3", " 20 (e2e4", " 20 (e2e4 e7e5 5", " 20 e2e4 #",
          " 20 e2e4 25000", " 20 e2e4 99999999999", " 20 e2e4 -", " 20 )", " 20 ( 5)", " 20 ()"}) {
        text += fmt::format("{}{}\n", kStart, tail);
    }
    text += "8/8/8 w\n" + good;
    TreeTextSource source(memory_source(text));
    LabelledGame game;
    int games = 0;
    for (;;) {
        const auto more = source.next(game);
        ASSERT_TRUE(more);
        if (!*more) break;
        ++games;
    }
    EXPECT_EQ(games, 2);
    EXPECT_EQ(source.report().bad_rows, 14U);
    EXPECT_EQ(source.report().rows, 16U);
    ASSERT_EQ(source.report().first_errors.size(), ImportReport::kQuoted);
    EXPECT_EQ(source.report().first_errors[2],
              fmt::format("line 6: column 61: move 'e2e5' is not legal in '{}'", kStart));
}

}  // namespace
}  // namespace solis::data
