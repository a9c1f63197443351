// Records and bags, typed byte by byte from the layouts.
#include <cstring>
#include <fstream>

#include "solis/chess/fen.h"
#include "solis/chess/uci_move.h"
#include "solis/data/formats/bag_format.h"
#include "solis/data/formats/packed_formats.h"
#include "tests/base/temporary_folder.h"
#include "tests/data/formats/format_helpers.h"

namespace solis::data {
namespace {

// Start position, +25, draw: rooks that may castle are 6.
const std::string kMarlinStart =
    from_hex("FFFF00000000FFFF 16422561 00000000 88888888 9ECAADE9 40 00 0100 1900 01 00");
// After 1.e4, Black to move, -33 for Black, White won: the board is turned.
const std::string kBulletAfterE4 =
    from_hex("FFFF00001000EFFF 13422531 00000000 88888888 9BCAADB9 DFFF 00 04 04 000000");

TEST(Marlinformat, StartPositionIsTheTypedBytesBothWays) {
    const auto read = read_marlin(as_bytes(kMarlinStart));
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_EQ(read->position, chess::Position::start());
    EXPECT_EQ(read->score, Score::centipawns(25));
    EXPECT_EQ(read->result, GameResult::Draw);
    Bytes written;
    append_marlin(written, *read);
    EXPECT_EQ(as_text(written), kMarlinStart);
}

TEST(Marlinformat, ScoreAndResultAreWhites) {
    const auto position = chess::parse_fen("8/8/8/8/pP6/8/8/K1k5 b - b3 7 12");
    ASSERT_TRUE(position);
    Bytes record;
    append_marlin(record, {*position, Score::centipawns(-300), GameResult::WhiteWins});
    EXPECT_EQ(record[24], 0x80 | index(chess::Square::B3));
    EXPECT_EQ(record[25], 7);
    EXPECT_EQ(record[26], 12);
    EXPECT_EQ(record[28] | record[29] << 8, 300);
    EXPECT_EQ(record[30], 2);
    const auto back = read_marlin(record);
    ASSERT_TRUE(back);
    EXPECT_EQ(back->position, *position);
    EXPECT_EQ(back->score, Score::centipawns(-300));
}

TEST(Marlinformat, DamagedRecordsAreRefusedWithAReason) {
    const auto error = [](std::size_t at, int byte) {
        std::string record = kMarlinStart;
        record[at] = static_cast<char>(byte);
        const auto read = read_marlin(as_bytes(record));
        return read ? std::string("accepted") : read.error().message;
    };
    EXPECT_EQ(error(8, 0x17), "unknown piece 7 on a1");
    EXPECT_EQ(error(2, 0xFF), "40 pieces on the board, at most 32");
    EXPECT_EQ(error(24, 0x41), "en-passant square 65");
    EXPECT_EQ(error(30, 3), "result 3, expected 0, 1 or 2");
    EXPECT_EQ(error(29, 0x7F), "score 32537 is outside -32000..32000");
    EXPECT_EQ(read_marlin(as_bytes(kMarlinStart).first(31)).error().message,
              "record of 31 bytes, expected 32");
}

TEST(Bulletformat, BoardIsTurnedToTheSideToMove) {
    const auto position = chess::parse_fen(kAfterE4);
    Bytes written;
    append_bullet(written, {*position, Score::centipawns(-33), GameResult::WhiteWins});
    EXPECT_EQ(as_text(written), kBulletAfterE4);
    const auto read = read_bullet(as_bytes(kBulletAfterE4));
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_EQ(chess::to_fen(read->position),
              "rnbqkbnr/pppp1ppp/8/4p3/8/8/PPPPPPPP/RNBQKBNR w - - 0 1");
    EXPECT_EQ(read->score, Score::centipawns(-33));
    EXPECT_EQ(read->result, GameResult::BlackWins) << "the mover, now White, lost";
}

TEST(Bulletformat, KingSquaresMustAgreeWithTheBoard) {
    std::string record = kBulletAfterE4;
    record[27] = 5;
    EXPECT_EQ(read_bullet(as_bytes(record)).error().message,
              "king squares 5 and 4, the board says 4 and 4");
}

TEST(PackedRows, ACutOffLastRecordIsABadRow) {
    const Imported read =
        read_text(marlin_rows, kMarlinStart + kMarlinStart + kMarlinStart.substr(0, 7));
    EXPECT_EQ(read.games.size(), 2u);
    ASSERT_EQ(read.report.first_errors.size(), 1u);
    EXPECT_EQ(read.report.first_errors[0], "test record 3: record of 7 bytes, expected 32");
}

// 0.25 as a big-endian double.
const std::string kQuarter = from_hex("3FD0000000000000");

std::string little(std::uint64_t value) {
    std::string bytes;
    for (int i = 0; i < 8; ++i) bytes += static_cast<char>(value >> (8 * i));
    return bytes;
}

std::string bag_of(const std::vector<std::string>& records) {
    std::string bytes, limits;
    for (const std::string& record : records) {
        bytes += record;
        limits += little(bytes.size());
    }
    return bytes + limits;
}

std::string with_length(std::string_view text) {
    return static_cast<char>(text.size()) + std::string(text);
}

Imported read_bag(const std::string& file) {
    const auto bag = BagView::split(file);
    EXPECT_TRUE(bag) << bag.error().message;
    return bag ? read_rows(bag_rows(*bag, false)) : Imported{};
}

TEST(Bag, AllThreeKindsOfRecordAreRead) {
    const std::string fen = with_length(kAfterE4);
    const Imported read =
        read_bag(bag_of({fen + kQuarter, fen + with_length("e7e5") + kQuarter, fen + "c7c5"}));
    ASSERT_EQ(read.games.size(), 3u) << read.report.bad_rows;
    EXPECT_NEAR(read.games[0].line[0].score.win_probability(), 0.25, 1e-3);

    ASSERT_EQ(read.games[1].branches.size(), 1u);
    EXPECT_TRUE(read.games[1].line[0].score.is_none());
    EXPECT_EQ(read.games[1].line[0].branch_count, 1u);
    const Branch& branch = read.games[1].branches[0];
    EXPECT_EQ(chess::to_uci(read.games[1].start, branch.first), "e7e5");
    EXPECT_NEAR(branch.score.win_probability(), 0.75, 1e-3) << "seen by White, to move after it";

    ASSERT_EQ(read.games[2].line.size(), 2u);
    EXPECT_TRUE(read.games[2].line[1].score.is_none());
}

TEST(Bag, DamagedRecordsAreBadRows) {
    const std::string fen = with_length(kAfterE4);
    const Imported read = read_bag(bag_of({"", "\x7f", fen, fen + with_length("e2e4") + kQuarter,
                                           fen + from_hex("3FF8000000000000"), fen + kQuarter}));
    EXPECT_EQ(read.games.size(), 1u);
    EXPECT_EQ(read.report.bad_rows, 5u);
    EXPECT_EQ(read.report.first_errors[0], "test record 1: empty or damaged record");
    EXPECT_EQ(read.report.first_errors[4], "test record 5: win probability 1.5 is outside 0..1");
}

TEST(Bag, LimitsThatPointAnywhereAreRefusedOrBadRows) {
    EXPECT_FALSE(BagView::split("1234567"));
    EXPECT_FALSE(BagView::split(little(9)));
    EXPECT_FALSE(BagView::split(std::string(5, 'x') + little(0)));
    ASSERT_TRUE(BagView::split(""));
    EXPECT_EQ(BagView::split("")->size(), 0u);
    // Ends: 3, 1, 2^63, 3 of 3 bytes of records.
    const std::string file = "abc" + little(3) + little(1) + little(1ull << 63) + little(3);
    const auto bag = BagView::split(file);
    ASSERT_TRUE(bag);
    ASSERT_EQ(bag->size(), 4u);
    EXPECT_TRUE(bag->record(0));
    for (const std::size_t i : {1u, 2u, 3u}) EXPECT_FALSE(bag->record(i)) << i;
}

// A mapped file would end the program with a signal.
TEST(Bag, AFileThatShrinksWhileItIsReadIsAnError) {
    const TemporaryFolder folder;
    const std::string path = (folder / "games.bag").string();
    const std::string record = with_length(kAfterE4) + kQuarter;
    std::ofstream(path, std::ios::binary) << bag_of(std::vector<std::string>(20'000, record));
    auto rows = open_bag(path);
    ASSERT_TRUE(rows) << rows.error().message;
    std::string_view row;
    ASSERT_TRUE(rows->reader->next(row));
    EXPECT_EQ(row, record);
    std::filesystem::resize_file(path, 300'000);
    Result<bool> more = true;
    while (more && *more) more = rows->reader->next(row);
    ASSERT_FALSE(more);
    EXPECT_NE(more.error().message.find("was cut off"), std::string::npos) << more.error().message;
}

TEST(Bag, ShardNamesFollowTheNumberAfterTheAt) {
    const auto shards = expand_shards("dir/train@2.bag");
    ASSERT_TRUE(shards);
    EXPECT_EQ(*shards, (std::vector<std::string>{"dir/train-00000-of-00002.bag",
                                                 "dir/train-00001-of-00002.bag"}));
    EXPECT_EQ(*expand_shards("plain.bag"), std::vector<std::string>{"plain.bag"});
    EXPECT_FALSE(expand_shards("train@x.bag"));
    EXPECT_FALSE(expand_shards("train@100000.bag"));
}

TEST(Bag, LimitsMayBeAFileOfTheirOwn) {
    const TemporaryFolder folder;
    const std::string record = with_length(kAfterE4) + kQuarter;
    const std::string path = (folder / "a.bag").string();
    std::ofstream(path, std::ios::binary) << record << record;
    std::ofstream(folder / "limits.a.bag", std::ios::binary)
        << little(record.size()) << little(2 * record.size());
    auto rows = open_bag(path);
    ASSERT_TRUE(rows) << rows.error().message;
    EXPECT_EQ(read_rows(std::move(*rows)).games.size(), 2u);
}

TEST(Bag, WritesTheBytesOfAStateValue) {
    const auto position = chess::parse_fen(kAfterE4);
    EXPECT_EQ(chessbench_state_value(*position, Score::centipawns(0)),
              with_length(kAfterE4) + from_hex("3FE0000000000000"));
    EXPECT_EQ(chessbench_state_value(*position, Score::mate_in(3)),
              with_length(kAfterE4) + from_hex("3FF0000000000000"));
    EXPECT_NE(chessbench_state_value(*position, Score::centipawns(20000)),
              with_length(kAfterE4) + from_hex("3FF0000000000000"))
        << "only a mate is a certain win";
}

}  // namespace
}  // namespace solis::data
