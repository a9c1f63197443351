// Splits are by game: stable, of the right size, and never tear apart games that open alike.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "solis/chess/fen.h"
#include "solis/data/formats/tree_text.h"
#include "solis/data/store/game_hash.h"
#include "tests/data/random_games.h"

namespace solis::data {
namespace {

TEST(Split, DependsOnTheOpeningOnly) {
    Rng rng(Seed{31});
    for (int i = 0; i < 200; ++i) {
        const LabelledGame game = random_game(rng, 40);
        LabelledGame relabelled = game;
        for (Ply& ply : relabelled.line) ply.score = Score::centipawns(1);
        for (Branch& branch : relabelled.branches) branch.score = Score();
        relabelled.result = GameResult::Draw;
        EXPECT_EQ(split_of(relabelled), split_of(game));
        EXPECT_EQ(game_identity(relabelled), game_identity(game));
        if (game.line.size() < 12) continue;
        LabelledGame shorter = game;
        shorter.line.resize(10);
        EXPECT_EQ(split_of(shorter), split_of(game)) << "the ninth move must not matter";
        EXPECT_NE(game_identity(shorter), game_identity(game));
    }
}

TEST(Split, SharesAreKept) {
    constexpr int kGames = 4000;
    Rng rng(Seed{32});
    std::array<int, 3> counts{};
    for (int i = 0; i < kGames; ++i) {
        const LabelledGame game = random_game(rng, 12);
        if (game.line.size() < 6) continue;  // short games repeat
        ++counts[static_cast<std::size_t>(split_of(game, {.validation = 200, .test = 100}))];
    }
    const int all = counts[0] + counts[1] + counts[2];
    EXPECT_NEAR(counts[1], all / 5, all / 30);
    EXPECT_NEAR(counts[2], all / 10, all / 30);
}

TEST(Split, ExtremesTakeAllOrNothing) {
    for (const LabelledGame& game : random_games(Seed{33}, 100, 10)) {
        EXPECT_EQ(split_of(game, {0, 0}), Split::Train);
        EXPECT_EQ(split_of(game, {1000, 0}), Split::Validation);
        EXPECT_EQ(split_of(game, {0, 1000}), Split::Test);
    }
}

// A changed answer would leak test games into training of an existing model.
TEST(Split, AnswersOfTheFirstReleaseNeverChange) {
    std::string answers;
    for (const char file : std::string("abcdefgh")) {
        for (const char rank : std::string("34")) {
            LabelledGame game;
            ASSERT_TRUE(parse_tree_text(
                fmt::format("{} 0 {}2{}{} 0", chess::kStartFen, file, file, rank), game));
            answers += name_of(split_of(game, {300, 300})).substr(0, 2);
        }
    }
    EXPECT_EQ(answers, "trtrtrvavatevatrtrvavavatetetete");
}

}  // namespace
}  // namespace solis::data
