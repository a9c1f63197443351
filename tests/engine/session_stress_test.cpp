// Hostile input: nothing of it crashes, hangs or leaks, and the engine still plays afterwards.
#include <algorithm>
#include <array>

#include <gtest/gtest.h>

#include "solis/base/rng.h"
#include "solis/chess/uci_move.h"
#include "tests/engine/session_fixture.h"

namespace solis::engine {
namespace {

#ifdef SOLIS_SANITIZED
constexpr int kLines = 5'000;
#else
constexpr int kLines = 100'000;
#endif

constexpr std::array<std::string_view, 34> kSeeds{
    "uci",
    "isready",
    "ucinewgame",
    "stop",
    "ponderhit",
    "debug on",
    "register later",
    "position startpos",
    "position startpos moves e2e4 e7e5 g1f3",
    "position fen r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "position fen 8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1 moves e2e4 f4e3",
    "position fen bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
    "go depth 2",
    "go nodes 30",
    "go infinite",
    "go movetime 1",
    "go ponder wtime 100 btime 100",
    "go wtime 100 btime 100 winc 1 binc 1 movestogo 4",
    "go mate 2",
    "go perft 2",
    "go searchmoves e2e4 d2d4 depth 1",
    "setoption name Hash value 1",
    "setoption name MultiPV value 3",
    "setoption name Clear Hash",
    "setoption name UCI_Chess960 value true",
    "setoption name UCI_ShowWDL value true",
    "setoption name VerboseMoveStats value true",
    "setoption name Plan value paper",
    "setoption name Plan value puct",
    "setoption name Scoring value Anchored",
    "setoption name UCI_LimitStrength value true",
    "d",
    "eval",
    "help"};

// A known line, damaged a little; sometimes bytes without any meaning.
std::string hostile_line(Rng& rng) {
    std::string line(kSeeds[rng.below(kSeeds.size())]);
    if (rng.chance(0.05)) {
        line.resize(rng.below(200));
        for (char& c : line) c = static_cast<char>(rng.below(256));
        return line;
    }
    for (std::uint64_t edits = rng.below(4); edits > 0 && !line.empty(); --edits) {
        const std::size_t at = rng.below(line.size());
        switch (rng.below(4)) {
            case 0:
                line[at] = static_cast<char>(rng.below(256));
                break;
            case 1:
                line.erase(at, 1 + rng.below(3));
                break;
            case 2:
                line.insert(at, 1, " 09-/\0kKxqw"[rng.below(11)]);
                break;
            default:
                line.insert(at, line.substr(rng.below(line.size())));
                break;
        }
    }
    return line;
}

// Words that would make one line take long: options with big tables or many threads, deep perfts.
bool is_harmless(std::string_view line) {
    for (const std::string_view word :
         {"perft", "Hash", "hash", "Threads", "Log", "Width", "Depth", "quit"}) {
        if (line.find(word) != std::string_view::npos)
            return line.find("perft 2") == line.size() - 7;
    }
    return true;
}

TEST(SessionStress, MutatedLinesDoNoHarm) {
    InlineSession engine(20);
    engine.say("setoption name Hash value 1");
    Rng rng(Seed{11});
    for (int i = 0; i < kLines; ++i) {
        std::string line = hostile_line(rng);
        std::replace(line.begin(), line.end(), '\n', ' ');
        if (is_harmless(line)) engine.say(line);
    }
    ASSERT_TRUE(engine.running());
    engine.say("stop");
    const auto lines = engine.say("position startpos\ngo nodes 20");
    ASSERT_FALSE(lines.empty());
    EXPECT_TRUE(lines.back().starts_with("bestmove ")) << lines.back();
}

TEST(SessionStress, HugeLinesAreAnsweredOnce) {
    InlineSession engine;
    const std::string huge(DescriptorInput::kMaxLine, 'x');
    EXPECT_LE(engine.say(huge).size(), 2u);
    EXPECT_LE(engine.say("position fen " + huge).size(), 3u);
    EXPECT_LE(engine.say("setoption name " + huge + " value " + huge).size(), 2u);
    std::string moves = "position startpos moves";
    for (int i = 0; i < 20'000; ++i) moves += " g1f3 g8f6 f3g1 f6g8";
    EXPECT_TRUE(engine.say(moves).empty());
    EXPECT_EQ(engine.session().game().moves().size(), 80'000u);
    EXPECT_EQ(count_starting(engine.say("go nodes 20"), "bestmove "), 1u);
}

TEST(SessionStress, EveryGoOfAStormIsAnswered) {
    InlineSession engine(20);
    std::string storm;
    for (int i = 0; i < 300; ++i) storm += "go infinite\ngo nodes 5\ngo ponder\n";
    EXPECT_EQ(count_starting(engine.say(storm), "bestmove "), 0u);
    EXPECT_EQ(count_starting(engine.say("stop"), "bestmove "), 900u);
}

TEST(SessionStress, WhatWaitsForASearchIsBounded) {
    InlineSession engine(20);
    engine.say("go infinite");
    const std::string large = "position fen " + std::string(1'000'000, 'x');
    std::size_t complaints = 0;
    for (int i = 0; i < 80; ++i)
        complaints += count_starting(engine.say(large), "info string error");
    EXPECT_GE(complaints, 10u);
    EXPECT_EQ(count_starting(engine.say("stop"), "bestmove "), 1u);
}

}  // namespace
}  // namespace solis::engine
