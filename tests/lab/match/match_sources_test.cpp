// Whole matches with what comes from files: tablebases, Polyglot books, Chess960; and our engine
// inside the program, which plays them all.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>

#include "solis/base/byte_source.h"
#include "solis/chess/fen.h"
#include "solis/chess/pgn/reader.h"
#include "solis/chess/uci_move.h"
#include "solis/lab/match/game_log.h"
#include "tests/chess/polyglot_bytes.h"
#include "tests/lab/match/match_helpers.h"

namespace solis::lab {
namespace {

using engine::ExitStatus;

// Plays a match between our engine inside the program and the same as a process.
std::vector<GameRecord> play_match(const TemporaryFolder& folder,
                                   const std::vector<std::string>& more,
                                   const std::string& first = "internal",
                                   const std::string& second = "solis") {
    std::vector<std::string> words{SOLIS_BINARY,
                                   "-q",
                                   "match",
                                   "--engine",
                                   first + ",name=a",
                                   "--engine",
                                   second + ",name=b",
                                   "--each",
                                   "nodes=200,option.Hash=1",
                                   "--log",
                                   folder.file("log"),
                                   "--pgn",
                                   folder.file("pgn"),
                                   "--concurrency",
                                   "1"};
    words.insert(words.end(), more.begin(), more.end());
    EXPECT_EQ(run_to_end(words), (ExitStatus{false, 0}));
    auto content = read_game_log(folder.file("log"));
    EXPECT_TRUE(content) << content.error().message;
    std::sort(content->games.begin(), content->games.end(),
              [](const auto& a, const auto& b) { return a.number < b.number; });
    return content->games;
}

std::string write_into(const TemporaryFolder& folder, const std::string& name,
                       const std::string& content) {
    std::ofstream(folder.file(name), std::ios::binary) << content;
    return folder.file(name);
}

// A Syzygy WDL table of three men that has one value for each side to move, as real tables have
// where every position is alike (KNvK). Values are 0 (loss) to 4 (win).
std::string constant_table(int piece, int white_to_move, int black_to_move) {
    std::string bytes("\x71\xE8\x23\x5D", 4);
    bytes += '\x31';  // three men, two sides to move
    bytes += '\0';
    bytes += '\xEE';  // black king, white king, white piece; the same order for both sides
    bytes += '\x66';
    bytes += static_cast<char>(piece * 0x11);
    bytes += '\0';
    for (const int value : {white_to_move, black_to_move}) {
        bytes += '\x80';
        bytes += static_cast<char>(value);
    }
    bytes.resize(64);
    return bytes + std::string(16, 'x');  // the checksum, which no program reads
}

TEST(MatchSources, TablebasesEndGamesForTheRightSide) {
    const TemporaryFolder folder;
    std::filesystem::create_directory(folder.file("tables"));
    constexpr int kRook = 4;
    write_into(folder, "tables/KRvK.rtbw", constant_table(kRook, 4, 0));
    // The rook takes the last enemy piece, with White and with Black.
    const std::string openings = write_into(folder, "openings.epd",
                                            "4k3/8/8/8/8/8/q7/R3K3 w - -\n"
                                            "r3k3/Q7/8/8/8/8/8/4K3 b - -\n");
    const auto games = play_match(folder, {"--tablebases", folder.file("tables"), "--openings",
                                           openings, "--openings-in-order", "--games", "4"});
    ASSERT_EQ(games.size(), 4u);
    for (const GameRecord& game : games) {
        const bool white_has_rook = game.start.side_to_move() == chess::Color::White;
        EXPECT_EQ(game.ending, Ending::Tablebase) << game.number;
        EXPECT_EQ(game.moves.size(), 1u) << game.number;
        EXPECT_EQ(game.result,
                  white_has_rook ? chess::GameResult::WhiteWins : chess::GameResult::BlackWins)
            << game.number;
    }
}

// With the published tables, where SOLIS_SYZYGY names their folder: a pawn that is stopped.
TEST(MatchSources, PublishedTablesKnowDraws) {
    const char* tables = std::getenv("SOLIS_SYZYGY");
    if (tables == nullptr) GTEST_SKIP() << "SOLIS_SYZYGY is not set";
    const TemporaryFolder folder;
    const std::string openings =
        write_into(folder, "openings.epd", "8/8/8/8/8/4k3/r3P3/K7 w - -\n");
    const auto games =
        play_match(folder, {"--tablebases", tables, "--openings", openings, "--games", "2"});
    ASSERT_EQ(games.size(), 2u);
    for (const GameRecord& game : games) {
        EXPECT_EQ(game.ending, Ending::Tablebase);
        EXPECT_EQ(game.result, chess::GameResult::Draw);
        EXPECT_EQ(game.moves.size(), 1u);
    }
}

TEST(MatchSources, FoldersWithoutTablesAreRefusedBeforeTheMatch) {
    const TemporaryFolder folder;
    EXPECT_EQ(run_to_end({SOLIS_BINARY, "-q", "match", "--engine", "internal,name=a", "--engine",
                          "internal,name=b", "--each", "nodes=10", "--tablebases",
                          folder.file("nowhere")}),
              (ExitStatus{false, 1}));
}

// A book with two first moves, of which one weighs nothing, and two answers to the other.
std::string small_book() {
    using chess::Position;
    const Position start = Position::start();
    const Position after_e4 = start.after(*chess::parse_uci(start, "e2e4"));
    constexpr int kD2 = 11, kD4 = 27, kE2 = 12, kE4 = 28, kC7 = 50, kC5 = 34, kE7 = 52, kE5 = 36;
    return chess::polyglot_bytes({{start.key(), chess::polyglot_move(kE2, kE4), 9},
                                  {start.key(), chess::polyglot_move(kD2, kD4), 0},
                                  {after_e4.key(), chess::polyglot_move(kE7, kE5), 1},
                                  {after_e4.key(), chess::polyglot_move(kC7, kC5), 1}});
}

std::string opening_of(const GameRecord& game) {
    std::string text;
    chess::Position position = game.start;
    for (std::size_t i = 0; i < game.book_plies; ++i) {
        text += chess::to_uci(position, game.moves[i].move) + " ";
        position = position.after(game.moves[i].move);
    }
    return text;
}

TEST(MatchSources, PolyglotBooksAreWalkedByWeightAndBothColoursGetTheSameLine) {
    const TemporaryFolder folder;
    const std::string book = write_into(folder, "small.bin", small_book());
    const auto games = play_match(folder, {"--openings", book, "--games", "8", "--max-moves", "6"});
    ASSERT_EQ(games.size(), 8u);
    std::set<std::string> openings;
    for (std::size_t i = 0; i < games.size(); i += 2) {
        EXPECT_EQ(opening_of(games[i]), opening_of(games[i + 1])) << i;
        EXPECT_EQ(games[i].white, games[i + 1].black) << i;
        openings.insert(opening_of(games[i]));
        EXPECT_EQ(games[i].ending, Ending::MoveLimit);
    }
    EXPECT_EQ(openings, (std::set<std::string>{"e2e4 c7c5 ", "e2e4 e7e5 "}));
}

TEST(MatchSources, PliesCutBookLinesShort) {
    const TemporaryFolder folder;
    const std::string book = write_into(folder, "small.bin", small_book());
    const auto games = play_match(
        folder, {"--openings", book, "--plies", "1", "--games", "2", "--max-moves", "3"});
    ASSERT_EQ(games.size(), 2u);
    for (const GameRecord& game : games) EXPECT_EQ(opening_of(game), "e2e4 ");
}

// The only mate is castling with the rook on a1, the king stands on b1.
TEST(MatchSources, Chess960GamesAreWonByCastling) {
    const TemporaryFolder folder;
    const std::string fen = "2rkr3/2p1p3/8/8/8/8/8/RK6 w A - 0 1";
    const std::string openings = write_into(folder, "openings.epd", fen + "\n");
    const auto games = play_match(folder, {"--chess960", "--openings", openings, "--games", "2"});
    ASSERT_EQ(games.size(), 2u);
    for (const GameRecord& game : games) {
        EXPECT_EQ(game.ending, Ending::Checkmate);
        EXPECT_EQ(game.result, chess::GameResult::WhiteWins);
        ASSERT_EQ(game.moves.size(), 1u);
        EXPECT_EQ(
            chess::to_uci(game.start, game.moves[0].move, chess::CastlingNotation::KingTakesRook),
            "b1a1");
    }
    const std::string pgn = *read_file(folder.file("pgn"));
    EXPECT_NE(pgn.find("O-O-O#"), std::string::npos) << pgn;
    const auto source = memory_source(pgn);
    chess::PgnReader reader(*source);
    chess::PgnGame game;
    for (int i = 0; i < 2; ++i) {
        ASSERT_EQ(*reader.next(game), chess::PgnOutcome::Game) << reader.error().message;
        EXPECT_EQ(chess::to_fen(game.start()), chess::to_fen(*chess::parse_fen(fen)));
    }
    EXPECT_EQ(run_to_end({SOLIS_BINARY, "-q", "match", "--engine", "internal,name=a", "--engine",
                          "internal,name=b", "--each", "nodes=10", "--openings", openings}),
              (ExitStatus{false, 1}))
        << "not without --chess960";
}

// Moves, without what depends on the speed of the machine.
std::vector<std::uint64_t> fingerprints(const std::vector<GameRecord>& games) {
    std::vector<std::uint64_t> prints;
    for (const GameRecord& game : games) prints.push_back(fingerprint(game));
    return prints;
}

TEST(MatchSources, OurEngineInsideTheProgramPlaysTheGamesOfItsProcess) {
    const std::vector<std::string> options{"--games", "4", "--max-moves", "12"};
    const TemporaryFolder inside, outside, both;
    const auto expected = fingerprints(play_match(outside, options, "solis", "solis"));
    ASSERT_EQ(expected.size(), 4u);
    const auto games = play_match(inside, options, "internal", "internal");
    EXPECT_EQ(fingerprints(games), expected);
    EXPECT_EQ(fingerprints(play_match(both, options, "internal", "solis")), expected);
    for (const GameRecord& game : games) {
        EXPECT_EQ(game.ending, Ending::MoveLimit);
        for (std::size_t i = game.book_plies; i < game.moves.size(); ++i) {
            EXPECT_GT(game.moves[i].nodes, 0u);
            EXPECT_FALSE(game.moves[i].score.is_none());
        }
    }
}

}  // namespace
}  // namespace solis::lab
