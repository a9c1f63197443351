// UCI text.
#include "solis/engine/uci_protocol.h"

#include <gtest/gtest.h>

#include "solis/chess/fen.h"
#include "solis/chess/uci_move.h"

namespace solis::engine {
namespace {

TEST(UciProtocol, OptionNamesAndChoicesMayContainSpaces) {
    const auto option = parse_option(
        "option name Style of Play type combo default Very Risky var Solid  var Very Risky");
    ASSERT_TRUE(option);
    EXPECT_EQ(option->name, "Style of Play");
    EXPECT_EQ(option->type, OptionType::Combo);
    EXPECT_EQ(option->default_value, "Very Risky");
    EXPECT_EQ(option->choices, (std::vector<std::string>{"Solid", "Very Risky"}));
    EXPECT_TRUE(option->check("Solid"));
    EXPECT_FALSE(option->check("Mad"));
}

TEST(UciProtocol, SpinOptionChecksItsRange) {
    const auto option = parse_option("option name Hash type spin default 16 min 1 max 1024");
    ASSERT_TRUE(option);
    EXPECT_TRUE(option->check("1"));
    EXPECT_TRUE(option->check("1024"));
    for (const char* bad : {"0", "1025", "", "x", "1x"}) EXPECT_FALSE(option->check(bad)) << bad;
}

TEST(UciProtocol, EmptyDefaultsReadAsEmpty) {
    EXPECT_EQ(parse_option("option name Book type string default <empty>")->default_value, "");
    EXPECT_EQ(parse_option("option name Debug Log File type string default ")->default_value, "");
}

TEST(UciProtocol, BrokenOptionsAreNone) {
    for (const char* line : {"", "option", "option name X", "option name type spin", "id name X",
                             "option name X type wheel", "optionname X type check"}) {
        EXPECT_FALSE(parse_option(line)) << line;
    }
}

TEST(UciProtocol, InfoLineIsReadWhole) {
    const auto info = parse_info(
        "info depth 12 seldepth 20 multipv 2 score cp -31 upperbound nodes 5000000000 nps 900000 "
        "hashfull 12 tbhits 3 time 5555 pv e2e4  e7e5 ");
    ASSERT_TRUE(info);
    EXPECT_EQ(info->depth, 12);
    EXPECT_EQ(info->seldepth, 20);
    EXPECT_EQ(info->multipv, 2);
    EXPECT_EQ(info->score, (UciScore{false, -31, ScoreBound::Upper}));
    EXPECT_EQ(info->nodes, 5'000'000'000u);
    EXPECT_EQ(info->nps, 900'000u);
    EXPECT_EQ(info->hashfull, 12);
    EXPECT_EQ(info->tbhits, 3u);
    EXPECT_EQ(info->time_ms, 5555u);
    EXPECT_EQ(info->pv, "e2e4  e7e5");
}

TEST(UciProtocol, MateScoresKeepTheirSign) {
    EXPECT_EQ(parse_info("info score mate -3")->score, (UciScore{true, -3, ScoreBound::Exact}));
    EXPECT_EQ(parse_info("info score mate +2 nodes 7")->nodes, 7u);
}

TEST(UciProtocol, InfoStringIsFreeText) {
    const auto info = parse_info("info string score cp 100 depth 9");
    ASSERT_TRUE(info);
    EXPECT_FALSE(info->score);
    EXPECT_EQ(info->depth, 0);
}

TEST(UciProtocol, BrokenInfoFieldsAreSkipped) {
    const auto info = parse_info("info depth x score pawns 1 nodes 99999999999999999999999 time 3");
    ASSERT_TRUE(info);
    EXPECT_EQ(info->depth, 0);
    EXPECT_FALSE(info->score);
    EXPECT_EQ(info->nodes, 0u);
    EXPECT_EQ(info->time_ms, 3u);
    EXPECT_FALSE(parse_info("info score cp 99999999999")->score);
    EXPECT_FALSE(parse_info("info score")->score);
    EXPECT_FALSE(parse_info("information"));
}

TEST(UciProtocol, BestMoveWithAndWithoutPonder) {
    EXPECT_EQ(parse_bestmove("bestmove e2e4 ponder e7e5")->ponder, "e7e5");
    EXPECT_EQ(parse_bestmove(" bestmove\te2e4")->move, "e2e4");
    EXPECT_EQ(parse_bestmove("bestmove (none)")->move, "(none)");
    EXPECT_FALSE(parse_bestmove("bestmove"));
    EXPECT_FALSE(parse_bestmove("bestmoves e2e4"));
}

TEST(UciProtocol, GoSaysOnlyWhatIsSet) {
    const auto text = [](const planner::Limits& limits) {
        std::string out;
        append_go(out, limits);
        return out;
    };
    EXPECT_EQ(text({}), "go\n");
    EXPECT_EQ(text({.nodes = 120}), "go nodes 120\n");
    EXPECT_EQ(text({.depth = 3, .movetime = std::chrono::milliseconds(50)}),
              "go depth 3 movetime 50\n");
    planner::Limits limits;
    limits.clock =
        planner::ClockTime{std::chrono::seconds(1), std::chrono::seconds(2),
                           std::chrono::milliseconds(10), std::chrono::milliseconds(20), 40};
    limits.ponder = true;
    EXPECT_EQ(text(limits), "go ponder wtime 1000 btime 2000 winc 10 binc 20 movestogo 40\n");
}

TEST(UciProtocol, PositionWritesMovesInOrder) {
    const chess::Position start = chess::Position::start();
    const chess::Move first = *chess::parse_uci(start, "e2e4");
    const chess::Move second = *chess::parse_uci(start.after(first), "e7e5");
    std::string out;
    append_position(out, start, std::array{first, second});
    append_position(out, start.after(first));
    EXPECT_EQ(out, "position startpos moves e2e4 e7e5\nposition fen " +
                       chess::to_fen(start.after(first)) + "\n");
}

}  // namespace
}  // namespace solis::engine
