// Writing PGN: read(write(x)) == x, and the text is what other programs expect.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "solis/chess/fen.h"
#include "solis/chess/pgn/reader.h"
#include "solis/chess/pgn/writer.h"
#include "solis/chess/random_game.h"
#include "tests/chess/awkward_positions.h"
#include "tests/chess/read_pgn.h"

namespace solis::chess {
namespace {

void add_roster(PgnGame& game) {
    game.add_tag("Event", "a \"quoted\" event");
    game.add_tag("Site", "C:\\chess\\");
    game.add_tag("Date", "2024.01.02");
    game.add_tag("Round", "-");
    game.add_tag("White", "M\u00fcller, J\u00f6rg");
    game.add_tag("Black", "\"]");
    game.add_tag("Result", to_string(game.result()));
    game.add_tag("Annotator", "");
}

TEST(PgnWriter, ReadingBackGivesTheSameGame) {
    Rng rng(Seed{7});
    for (int i = 0; i < 200; ++i) {
        PgnGame game;
        RandomGameOptions options;
        options.max_plies = rng.below(150);
        options.evals_and_clocks = i % 3 == 0;
        options.variations = i % 2 == 0;
        make_random_game(rng, options, game);
        add_roster(game);
        const std::string text = to_pgn(game);
        ASSERT_TRUE(read_one(text) == game) << text;
    }
}

TEST(PgnWriter, ReadingBackGivesTheSameGameFromAnyStart) {
    Rng rng(Seed{8});
    for (const std::string_view fen : kAwkwardFens) {
        PgnGame game;
        game.set_start(parse_fen(fen).value());
        RandomGameOptions options;
        options.variations = true;
        make_random_game(rng, options, game);
        const std::string text = to_pgn(game);
        const PgnGame again = read_one(text);
        EXPECT_EQ(again.start(), game.start()) << text;
        EXPECT_EQ(to_pgn(again), text);
        EXPECT_EQ(again.nodes().size(), game.nodes().size());
    }
}

TEST(PgnWriter, LinesHaveAtMostEightyColumns) {
    Rng rng(Seed{9});
    PgnGame game;
    RandomGameOptions options;
    options.evals_and_clocks = true;
    make_random_game(rng, options, game);
    const std::string text = to_pgn(game);
    std::size_t longest = 0;
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = text.find('\n', begin);
        longest = std::max(longest, end - begin);
        begin = end + 1;
    }
    EXPECT_LE(longest, 80u);
    EXPECT_GT(longest, 70u);
}

TEST(PgnWriter, WritesRosterFirstAndNumbersRightWhenBlackStarts) {
    const PgnGame game = read_one(
        "[Annotator \"x\"]\n[FEN \"rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1\"]\n"
        "[White \"A\"]\n\n{start} e5 Nf3 {main} Nc6 (d6 d4 (Bc4 $5) exd4) Bb5 a6 1-0");
    EXPECT_EQ(to_pgn(game),
              "[Event \"?\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"A\"]\n"
              "[Black \"?\"]\n[Result \"1-0\"]\n[Annotator \"x\"]\n"
              "[FEN \"rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1\"]\n"
              "[SetUp \"1\"]\n\n"
              "{start} 1... e5 2. Nf3 {main} 2... Nc6 (2... d6 3. d4 (3. Bc4 $5) 3... exd4) 3.\n"
              "Bb5 a6 1-0\n\n");
}

TEST(PgnWriter, CommandsAreNeverSplitOverTwoLines) {
    std::string text = "[White \"A\"]\n\n";
    const char* const moves[] = {"Nf3", "Nf6", "Ng1", "Ng8"};
    for (int ply = 0; ply < 60; ++ply) {
        if (ply % 2 == 0) text += fmt::format("{}. ", ply / 2 + 1);
        text += fmt::format("{} {{[%eval 0.{}] {} [%csl Ga1 Gb2 Gc3]}} ", moves[ply % 4], ply + 1,
                            std::string(static_cast<std::size_t>(ply % 17), 'x'));
    }
    const std::string written = to_pgn(read_one(text + "*\n"));
    std::size_t commands = 0;
    for (std::size_t at = written.find("[%"); at != std::string::npos;
         at = written.find("[%", at + 1)) {
        ++commands;
        EXPECT_LT(written.find(']', at), written.find('\n', at)) << written.substr(at, 40);
    }
    EXPECT_EQ(commands, 120u);
}

}  // namespace
}  // namespace solis::chess
