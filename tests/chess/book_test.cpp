// Polyglot books, written byte by byte.
#include "solis/chess/book.h"

#include <algorithm>
#include <filesystem>
#include <map>

#include <gtest/gtest.h>

#include "solis/base/file.h"
#include "solis/chess/fen.h"
#include "solis/chess/uci_move.h"
#include "tests/base/temporary_folder.h"
#include "tests/chess/from_fen.h"
#include "tests/chess/polyglot_bytes.h"

namespace solis::chess {
namespace {

OpeningBook make_book(const std::vector<PolyglotEntry>& entries) {
    auto book = OpeningBook::from_bytes(polyglot_bytes(entries), "test.bin");
    EXPECT_TRUE(book) << book.error().message;
    return std::move(*book);
}

constexpr std::uint64_t kStartKey = 0x463b96181691fc9c;
constexpr int kE2 = 12, kE4 = 28, kD2 = 11, kD4 = 27, kG1 = 6, kF3 = 21, kE5 = 36;

TEST(OpeningBook, FindsTheMovesOfAPositionHeaviestFirst) {
    const OpeningBook book = make_book({{1, polyglot_move(kE2, kE4), 9},
                                        {kStartKey, polyglot_move(kG1, kF3), 5},
                                        {kStartKey, polyglot_move(kE2, kE4), 300},
                                        {kStartKey, polyglot_move(kD2, kD4), 5},
                                        {~std::uint64_t{0}, polyglot_move(kE2, kE4), 9}});
    EXPECT_EQ(book.size(), 5u);
    const std::vector<BookMove> expected{{Move(Square::E2, Square::E4), 300, 7},
                                         {Move(Square::G1, Square::F3), 5, 7},
                                         {Move(Square::D2, Square::D4), 5, 7}};
    EXPECT_EQ(book.moves(Position::start()), expected);
    EXPECT_EQ(book.best(Position::start()), Move(Square::E2, Square::E4));
    EXPECT_TRUE(book.moves(Position::start().after(expected[0].move)).empty());
}

TEST(OpeningBook, EveryEntryOfALargeBookIsFound) {
    std::vector<PolyglotEntry> entries;
    std::vector<Position> positions;
    Position position = Position::start();
    for (const char* text : {"e2e4", "e7e5", "g1f3", "b8c6", "f1b5", "a7a6", "b5a4", "g8f6"}) {
        const Move move = *parse_uci(position, text);
        entries.push_back({position.key(), polyglot_move(index(move.from()), index(move.to())), 1});
        positions.push_back(position);
        position = position.after(move);
    }
    Rng rng(Seed{5});
    for (int i = 0; i < 1000; ++i) entries.push_back({rng.next(), 0, 1});
    const OpeningBook book = make_book(entries);
    for (const Position& p : positions) EXPECT_EQ(book.moves(p).size(), 1u) << to_fen(p);
}

TEST(OpeningBook, CastlingAndPromotionAreDecoded) {
    const Position castling = from_fen("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1");
    const OpeningBook book = make_book({{castling.key(), polyglot_move(4, 7), 3},
                                        {castling.key(), polyglot_move(4, 0), 2},
                                        {castling.key(), polyglot_move(4, 2), 1}});
    const std::vector<BookMove> moves = book.moves(castling);
    ASSERT_EQ(moves.size(), 3u);
    EXPECT_EQ(moves[0].move, Move::castling(Square::E1, Square::H1));
    EXPECT_EQ(moves[1].move, Move::castling(Square::E1, Square::A1));
    EXPECT_EQ(moves[2].move, Move::castling(Square::E1, Square::A1));  // written as e1c1

    const Position promotion = from_fen("8/P3k3/8/8/8/8/8/4K3 w - - 0 1");
    std::vector<PolyglotEntry> entries;
    for (int piece = 0; piece < 8; ++piece) {
        entries.push_back({promotion.key(), polyglot_move(48, 56, piece), 1});
    }
    const std::vector<BookMove> promotions = make_book(entries).moves(promotion);
    ASSERT_EQ(promotions.size(), 4u);
    EXPECT_EQ(promotions[0].move, Move::promotion(Square::A7, Square::A8, PieceType::Knight));
    EXPECT_EQ(promotions[3].move, Move::promotion(Square::A7, Square::A8, PieceType::Queen));
}

TEST(OpeningBook, IllegalMovesAreLeftOut) {
    const OpeningBook book = make_book(
        {{kStartKey, polyglot_move(kE2, kE5), 9}, {kStartKey, 0, 9}, {kStartKey, 0xFFFF, 9}});
    EXPECT_TRUE(book.moves(Position::start()).empty());
    EXPECT_EQ(book.best(Position::start()), std::nullopt);
}

TEST(OpeningBook, PolyglotKeyOfAPinnedEnPassantCapturerIsFoundToo) {
    // d7-d5 was just played; exd6 would expose the king. Polyglot hashes the d-file all the same.
    const Position pinned = from_fen("8/8/8/K2pP2r/8/8/8/4k3 w - d6 0 2");
    const std::uint64_t with_file = pinned.key() ^
                                    from_fen("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2").key() ^
                                    from_fen("4k3/8/8/3pP3/8/8/8/4K3 w - - 0 2").key();
    const OpeningBook book = make_book({{with_file, polyglot_move(32, 24), 1}});
    EXPECT_EQ(book.best(pinned), Move(Square::A5, Square::A4));
    // Where the pawns are not side by side there is no second key.
    EXPECT_EQ(book.best(from_fen("8/8/8/K2p1P1r/8/8/8/4k3 w - - 0 2")), std::nullopt);
}

TEST(OpeningBook, PickFollowsTheWeightsAndTheSeed) {
    const OpeningBook book = make_book({{kStartKey, polyglot_move(kE2, kE4), 3},
                                        {kStartKey, polyglot_move(kD2, kD4), 1},
                                        {kStartKey, polyglot_move(kG1, kF3), 0}});
    Rng rng(Seed{3}), same(Seed{3});
    std::map<std::string, int> hits;
    for (int i = 0; i < 4000; ++i) {
        const auto move = book.pick(Position::start(), rng);
        ASSERT_TRUE(move);
        EXPECT_EQ(book.pick(Position::start(), same), move);
        ++hits[to_uci(Position::start(), *move)];
    }
    EXPECT_NEAR(hits["e2e4"], 3000, 120);
    EXPECT_NEAR(hits["d2d4"], 1000, 120);
    EXPECT_EQ(hits.count("g1f3"), 0u);
}

TEST(OpeningBook, WeightZeroIsListedButNeverPlayed) {
    const OpeningBook book = make_book({{kStartKey, polyglot_move(kE2, kE4), 0}});
    Rng rng(Seed{1});
    EXPECT_EQ(book.moves(Position::start()).size(), 1u);
    EXPECT_EQ(book.best(Position::start()), std::nullopt);
    EXPECT_EQ(book.pick(Position::start(), rng), std::nullopt);
}

TEST(OpeningBook, DamagedFilesAreRefusedWithTheReason) {
    const auto error_of = [](std::string bytes) {
        const auto book = OpeningBook::from_bytes(std::move(bytes), "x.bin");
        return book ? std::string("accepted") : book.error().message;
    };
    EXPECT_EQ(error_of(""), "book 'x.bin' is empty");
    EXPECT_EQ(error_of(std::string(33, 'a')),
              "book 'x.bin' has 33 bytes, which is no multiple of 16");
    EXPECT_EQ(error_of(polyglot_bytes({{5, 0, 0}, {9, 0, 0}, {3, 0, 0}}, false)),
              "book 'x.bin': entry 3 of 3 is out of order");
}

TEST(OpeningBook, OpensFilesAndNamesThoseItCannotOpen) {
    const TemporaryFolder folder;
    const std::filesystem::path path = folder / "book.bin";
    ASSERT_TRUE(
        write_file_atomically(path, polyglot_bytes({{kStartKey, polyglot_move(kE2, kE4), 1}})));
    const auto book = OpeningBook::open(path.string());
    ASSERT_TRUE(book) << book.error().message;
    EXPECT_TRUE(book->best(Position::start()));

    const auto missing = OpeningBook::open("/nowhere/book.bin");
    ASSERT_FALSE(missing);
    EXPECT_NE(missing.error().message.find("/nowhere/book.bin"), std::string::npos);
    EXPECT_EQ(OpeningBook::open("/").error().message, "book '/' is a folder");
}

}  // namespace
}  // namespace solis::chess
