// EPD records: reading, writing, and errors that name the opcode.
#include "solis/chess/epd.h"

#include <gtest/gtest.h>

#include "solis/chess/uci_move.h"

namespace solis::chess {
namespace {

constexpr std::string_view kFields =
    "r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq -";

std::string with(std::string_view operations) {
    return std::string(kFields) + " " + std::string(operations);
}

std::string epd_error(std::string_view line) {
    const auto record = parse_epd(line);
    return record ? "accepted as " + to_epd(*record) : record.error().message;
}

TEST(Epd, OperationsKeepOrderOperandsAndQuotes) {
    const auto record = parse_epd(with("bm Qxf7# Qxe5+; id \"mate; in one\"; ce 32767; noop;"));
    ASSERT_TRUE(record) << record.error().message;
    const std::vector<EpdOperation> expected{
        {"bm", {{"Qxf7#", false}, {"Qxe5+", false}}},
        {"id", {{"mate; in one", true}}},
        {"ce", {{"32767", false}}},
        {"noop", {}},
    };
    EXPECT_EQ(record->operations, expected);
    EXPECT_EQ(record->find("id")->operands[0].text, "mate; in one");
    EXPECT_EQ(record->find("am"), nullptr);
}

TEST(Epd, CountersBelongToThePosition) {
    const auto record = parse_epd(with("hmvc 7; id \"x\"; fmvn 21;"));
    ASSERT_TRUE(record);
    EXPECT_EQ(record->position.halfmove_clock(), 7);
    EXPECT_EQ(record->position.fullmove_number(), 21);
    EXPECT_EQ(record->operations.size(), 1u);
    EXPECT_EQ(to_epd(*record), with("id \"x\"; hmvc 7; fmvn 21;"));
}

TEST(Epd, ReadingWhatWasWrittenGivesTheSameRecord) {
    for (const std::string_view operations :
         {"", "bm Nf3;", "id \"\";", "c0 \"a b\" \"c;d\" e; pv Qxf7+ Kd8; hmvc 3;"}) {
        const auto record = parse_epd(with(operations));
        ASSERT_TRUE(record) << record.error().message;
        const auto again = parse_epd(to_epd(*record));
        ASSERT_TRUE(again) << again.error().message;
        EXPECT_EQ(*again, *record);
    }
}

TEST(Epd, CommonDeviationsAreAccepted) {
    // No semicolon at the end, doubled ones, and the six fields of a FEN.
    EXPECT_EQ(parse_epd(with("bm Qxf7#"))->operations.size(), 1u);
    EXPECT_EQ(parse_epd(with(";; bm Qxf7#;; id \"x\" ; "))->operations.size(), 2u);
    const auto perft = parse_epd("4k3/8/8/8/8/8/8/4K2R w K - 3 9 ;D1 15 ;D2 66\r\n");
    ASSERT_TRUE(perft) << perft.error().message;
    EXPECT_EQ(perft->position.fullmove_number(), 9);
    EXPECT_EQ(perft->find("D2")->operands[0].text, "66");
}

TEST(Epd, OperandsMadeByAProgramAreWrittenSoThatTheyCanBeRead) {
    const EpdRecord record{
        Position::start(),
        {{"id", {{"say \"hi\"", false}}}, {"c0", {{"", false}, {"a\nb", false}}}}};
    EXPECT_EQ(to_epd(record),
              "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - "
              "id \"say 'hi'\"; c0 \"\" \"a b\";");
    EXPECT_TRUE(parse_epd(to_epd(record)));
}

TEST(Epd, MovesAreResolvedInThePosition) {
    const auto record = parse_epd(with("bm Qxf7# Qxe5+; am Qh4 Zz9;"));
    ASSERT_TRUE(record);
    const auto best = epd_moves(*record, "bm");
    ASSERT_TRUE(best) << best.error().message;
    ASSERT_EQ(best->size(), 2u);
    EXPECT_EQ(to_uci(record->position, (*best)[0]), "h5f7");
    EXPECT_TRUE(epd_moves(*record, "pm")->empty());
    const auto avoid = epd_moves(*record, "am");
    ASSERT_FALSE(avoid);
    EXPECT_EQ(avoid.error().message.substr(0, 24), "EPD opcode 'am': 'Zz9' i");
}

TEST(Epd, ErrorsNameTheOpcode) {
    EXPECT_EQ(epd_error(with("bm Qxf7#; 9x 1;")),
              "EPD opcode '9x': expected a letter, then up to 14 letters, digits and '_'");
    EXPECT_EQ(epd_error(with("abcdefghijklmnop 1;")),
              "EPD opcode 'abcdefghijklmnop': expected a letter, then up to 14 letters, digits and "
              "'_'");
    EXPECT_EQ(epd_error(with("id \"open")), "EPD opcode 'id': string without closing quote");
    EXPECT_EQ(epd_error(with("bm e4; bm d4;")), "EPD opcode 'bm': given twice");
    EXPECT_EQ(epd_error(with("hmvc 1; hmvc 2;")), "EPD opcode 'hmvc': given twice");
    EXPECT_EQ(epd_error(with("hmvc;")), "EPD opcode 'hmvc': 0 operands, expected 1");
    EXPECT_EQ(epd_error(with("hmvc x;")), "EPD opcode 'hmvc': 'x' is not a whole number");
    EXPECT_EQ(epd_error(with("fmvn 0;")),
              "EPD opcode 'fmvn': fullmove number: 0 is outside 1..32767");
    EXPECT_EQ(epd_error("8/8 w -").substr(0, 9), "EPD: FEN ");
}

}  // namespace
}  // namespace solis::chess
