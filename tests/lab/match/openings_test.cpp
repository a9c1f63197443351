// Openings from every kind of file, and the embedded ones.
#include "solis/lab/match/openings.h"

#include <fstream>
#include <set>

#include "solis/chess/game.h"
#include "solis/engine/client/find_engine.h"
#include "solis/lab/match/opening_generator.h"
#include "tests/lab/match/match_helpers.h"

namespace solis::lab {
namespace {

OpeningOptions of_file(const std::string& file, std::uint64_t rounds) {
    OpeningOptions options;
    options.file = file;
    options.rounds = rounds;
    return options;
}

TEST(Openings, EmbeddedOnesAreManyDistinctAndFairToBothColours) {
    const auto set = load_openings(of_file("", 10), false);
    ASSERT_TRUE(set) << set.error().message;
    EXPECT_EQ(set->openings.size(), 500u);
    for (const Opening& opening : set->openings) {
        EXPECT_EQ(opening.start.side_to_move(), chess::Color::White);
        EXPECT_FALSE(opening.start.in_check());
    }
}

TEST(Openings, EveryOneIsUsedBeforeAnyComesAgain) {
    OpeningOptions options = of_file("", 1500);
    const auto set = load_openings(options, false);
    ASSERT_TRUE(set);
    for (std::size_t pass = 0; pass < 3; ++pass) {
        std::set<std::uint32_t> used(set->of_round.begin() + static_cast<long>(500 * pass),
                                     set->of_round.begin() + static_cast<long>(500 * (pass + 1)));
        EXPECT_EQ(used.size(), 500u);
    }
    options.rounds = 700;
    const auto fewer = load_openings(options, false);
    EXPECT_TRUE(std::equal(fewer->of_round.begin(), fewer->of_round.end(), set->of_round.begin()))
        << "more rounds leave the first as they were";
    options.seed = Seed{2};
    EXPECT_NE(load_openings(options, false)->of_round, fewer->of_round);
    options.shuffled = false;
    EXPECT_EQ(load_openings(options, false)->of_round[600], 100u);
}

TEST(Openings, PgnGamesGiveTheirFirstMoves) {
    OpeningOptions options = of_file(std::string(SOLIS_TEST_FILES) + "/paper_games.pgn", 3);
    options.plies = 6;
    const auto set = load_openings(options, false);
    ASSERT_TRUE(set) << set.error().message;
    for (const Opening& opening : set->openings) EXPECT_LE(opening.moves.size(), 6u);
    EXPECT_EQ(set->openings[0].moves.size(), 6u);
}

TEST(Openings, UnplayableFilesAreRefusedWithTheLine) {
    const TemporaryFolder folder;
    const auto error_of = [&](const std::string& text) {
        std::ofstream(folder.file("o.epd"), std::ios::trunc) << text;
        const auto set = load_openings(of_file(folder.file("o.epd"), 1), false);
        return set ? std::string("none") : set.error().message;
    };
    EXPECT_NE(error_of("# only a comment\n").find("holds no opening"), std::string::npos);
    EXPECT_NE(error_of("\n7k/5Q2/6K1/8/8/8/8/8 b - - 0 1\n").find("line 2"), std::string::npos)
        << "stalemate";
    EXPECT_NE(error_of("8/8/8 w - -\n").find("line 1"), std::string::npos);
    const std::string chess960 = "bqnbrkrn/pppppppp/8/8/8/8/PPPPPPPP/BQNBRKRN w GEge - 0 1\n";
    EXPECT_NE(error_of(chess960).find("Chess960"), std::string::npos);
    EXPECT_TRUE(load_openings(of_file(folder.file("o.epd"), 1), true));
    EXPECT_FALSE(load_openings(of_file(folder.file("missing"), 1), false));
}

TEST(OpeningGenerator, SameSeedSameBalancedOpenings) {
    const auto path = engine::find_stockfish();
    if (!path) GTEST_SKIP() << path.error().message;
    GeneratorOptions options;
    options.engine.command = {*path};
    options.engine.options = {{"Hash", "1"}};
    options.count = 5;
    options.nodes = 200;
    const auto always = [](std::size_t) { return true; };
    const auto first = generate_openings(options, always);
    ASSERT_TRUE(first) << first.error().message;
    EXPECT_EQ(first->size(), 5u);
    for (const GeneratedOpening& opening : *first) {
        EXPECT_LE(std::abs(opening.score.value()), options.max_score);
        EXPECT_EQ(opening.position.fullmove_number(), 5);
    }
    EXPECT_EQ(*generate_openings(options, always), *first);
}

}  // namespace
}  // namespace solis::lab
