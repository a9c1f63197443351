// What a GUI says, right and wrong.
#include "solis/engine/uci/gui_commands.h"

#include <gtest/gtest.h>

#include "solis/chess/fen.h"
#include "solis/chess/uci_move.h"

namespace solis::engine {
namespace {

using std::chrono::milliseconds;

GoCommand go(std::string_view arguments) { return parse_go(arguments, chess::Position::start()); }

std::vector<std::string> searched(const GoCommand& command) {
    std::vector<std::string> moves;
    for (const chess::Move move : command.limits.search_moves) {
        moves.push_back(chess::to_uci(chess::Position::start(), move));
    }
    return moves;
}

TEST(ParseGo, ReadsEveryLimit) {
    const GoCommand command =
        go(" ponder wtime 1000 btime 2000 winc 10 binc 20 movestogo 30 depth 4 nodes 500 mate 3 "
           "movetime 700 infinite perft 2");
    EXPECT_TRUE(command.problems.empty());
    EXPECT_TRUE(command.limits.ponder);
    EXPECT_TRUE(command.limits.infinite);
    EXPECT_EQ(command.limits.clock->white, milliseconds(1000));
    EXPECT_EQ(command.limits.clock->black, milliseconds(2000));
    EXPECT_EQ(command.limits.clock->white_increment, milliseconds(10));
    EXPECT_EQ(command.limits.clock->black_increment, milliseconds(20));
    EXPECT_EQ(command.limits.clock->moves_to_go, 30);
    EXPECT_EQ(command.limits.depth, 4);
    EXPECT_EQ(command.limits.nodes, 500u);
    EXPECT_EQ(command.limits.mate, 3);
    EXPECT_EQ(command.limits.movetime, milliseconds(700));
    EXPECT_EQ(command.perft, 2);
}

TEST(ParseGo, NothingIsNoLimit) {
    const GoCommand command = go("  \t ");
    EXPECT_TRUE(command.problems.empty());
    EXPECT_FALSE(command.limits.clock || command.limits.depth || command.limits.infinite);
}

TEST(ParseGo, OneClockIsEnough) {
    const GoCommand command = go("wtime 100");
    ASSERT_TRUE(command.limits.clock);
    EXPECT_EQ(command.limits.clock->white, milliseconds(100));
}

TEST(ParseGo, SearchMovesEndAtTheNextKnownWord) {
    const GoCommand command = go("searchmoves e2e4 d2d4 e2e4 depth 3");
    EXPECT_EQ(searched(command), (std::vector<std::string>{"e2e4", "d2d4"}));
    EXPECT_EQ(command.limits.depth, 3);
    EXPECT_TRUE(command.problems.empty());
}

TEST(ParseGo, IllegalSearchMovesAreTold) {
    const GoCommand command = go("searchmoves e2e5 xyz g1f3");
    EXPECT_EQ(searched(command), (std::vector<std::string>{"g1f3"}));
    EXPECT_EQ(command.problems.size(), 2u);
}

TEST(ParseGo, WhatIsNoNumberIsToldAndIgnored) {
    const struct {
        const char* text;
        std::size_t problems;
    } cases[] = {{"depth", 1},         {"depth x", 1},      {"depth 3x nodes 5", 1},
                 {"depth nodes 5", 1}, {"nodes 1e6", 1},    {"wtime 99999999999999999999999", 1},
                 {"frobnicate 3", 2},  {"movetime 1.5", 1}, {"depth 4.", 1}};
    for (const auto& c : cases) {
        const GoCommand command = go(c.text);
        EXPECT_EQ(command.problems.size(), c.problems) << c.text;
        EXPECT_FALSE(command.limits.depth) << c.text;
    }
    EXPECT_EQ(go("depth nodes 5").limits.nodes, 5u);
}

TEST(ParseGo, NumbersAreBroughtIntoRange) {
    EXPECT_EQ(go("depth 0").limits.depth, 1);
    EXPECT_EQ(go("depth -7").limits.depth, 1);
    EXPECT_EQ(go("depth 9000000000").limits.depth, std::numeric_limits<int>::max());
    EXPECT_EQ(go("movetime -5").limits.movetime, milliseconds(1));
    EXPECT_EQ(go("wtime -500 btime 3").limits.clock->white, milliseconds(0));
    EXPECT_EQ(go("nodes 0").limits.nodes, 1u);
    EXPECT_LT(go("movetime 9223372036854775807").limits.movetime, milliseconds::max() / 1000);
}

TEST(ParseGo, ManyProblemsAreNotAllTold) {
    std::string text;
    for (int i = 0; i < 10'000; ++i) text += "what ";
    EXPECT_LE(go(text).problems.size(), 10u);
    EXPECT_GE(go(text).problems.size(), 1u);
}

TEST(ParsePosition, PlaysTheMovesAndKeepsTheHistory) {
    const auto game = parse_position(" startpos  moves g1f3 g8f6 f3g1 f6g8 g1f3 g8f6\tf3g1 f6g8");
    ASSERT_TRUE(game) << game.error().message;
    EXPECT_EQ(game->repetitions(), 3);
}

TEST(ParsePosition, TakesFenWithAndWithoutCounters) {
    const auto fen_of = [](std::string_view text) {
        const auto game = parse_position(text);
        return game ? chess::to_fen(game->position()) : game.error().message;
    };
    EXPECT_EQ(fen_of("fen 8/8/8/4k3/8/4K3/4P3/8 w - - 3 9"), "8/8/8/4k3/8/4K3/4P3/8 w - - 3 9");
    EXPECT_EQ(fen_of("fen 8/8/8/4k3/8/4K3/4P3/8 w - -"), "8/8/8/4k3/8/4K3/4P3/8 w - - 0 1");
    EXPECT_EQ(fen_of("fen 8/8/8/4k3/8/4K3/4P3/8 w - - moves e3d3"),
              "8/8/8/4k3/8/3K4/4P3/8 b - - 1 1");
}

TEST(ParsePosition, ErrorsNameTheFault) {
    const struct {
        const char* text;
        const char* part;
    } cases[] = {{"", "neither"},
                 {"fen", "position: "},
                 {"nowhere", "'nowhere'"},
                 {"startpos move e2e4", "'move'"},
                 {"startpos moves e2e4 e2e4", "move 2"},
                 {"startpos moves e7e5", "move 1"},
                 {"fen 8/8/8/8/8/8/8/8 w - - 0 1", "king"},
                 {"startpos moves e2e4 0000", "move 2"}};
    for (const auto& c : cases) {
        const auto game = parse_position(c.text);
        ASSERT_FALSE(game) << c.text;
        EXPECT_NE(game.error().message.find(c.part), std::string::npos) << game.error().message;
    }
}

TEST(ParseSetOption, NamesAndValuesMayContainSpaces) {
    const auto option = parse_setoption(" name  Debug Log File  value  /a folder/log ");
    ASSERT_TRUE(option);
    EXPECT_EQ(option->name, "Debug Log File");
    EXPECT_EQ(option->value, "/a folder/log");
    EXPECT_EQ(parse_setoption("name Clear Hash")->name, "Clear Hash");
    EXPECT_EQ(parse_setoption("name Hash value")->value, "");
}

TEST(ParseSetOption, NeedsAName) {
    for (const char* text : {"", "name", "name value 3", "value 3", "Hash 3"}) {
        EXPECT_FALSE(parse_setoption(text)) << text;
    }
}

}  // namespace
}  // namespace solis::engine
