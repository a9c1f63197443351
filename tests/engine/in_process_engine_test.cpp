// Our engine without a process: the same dialogue, and an end that always comes.
#include "solis/engine/client/in_process_engine.h"

#include <gtest/gtest.h>

#include "solis/chess/fen.h"
#include "solis/engine/client/uci_client.h"

namespace solis::engine {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kAnswerTime{120'000};

Clock::time_point far_off() { return Clock::now() + kAnswerTime; }

UciClient start_client(const EngineSpec& spec) {
    auto client = UciClient::start(spec);
    EXPECT_TRUE(client) << client.error().message;
    return std::move(*client);
}

EngineSpec spec_inside() {
    EngineSpec spec;
    spec.command = {"SOLIS inside"};
    spec.options = {{"Hash", "8"}};
    spec.in_process = true;
    return spec;
}

EngineSpec spec_outside() {
    EngineSpec spec;
    spec.command = {SOLIS_BINARY, "uci"};
    spec.options = {{"Hash", "8"}};
    return spec;
}

// Reads until a line equals `wanted`.
bool awaits(InProcessEngine& engine, std::string_view wanted) {
    std::string_view line;
    while (engine.read_line(line, far_off()) == IoStatus::Done) {
        if (line == wanted) return true;
    }
    return false;
}

TEST(InProcessEngine, OffersWhatTheProcessOffers) {
    const UciClient own = start_client(spec_inside()), process = start_client(spec_outside());
    EXPECT_EQ(own.name(), "SOLIS inside");
    EXPECT_EQ(own.pid(), 0);
    EXPECT_GT(process.pid(), 0);
    ASSERT_EQ(own.options().size(), process.options().size());
    for (std::size_t i = 0; i < own.options().size(); ++i) {
        EXPECT_EQ(own.options()[i].name, process.options()[i].name);
    }
}

TEST(InProcessEngine, FindsTheMovesThatTheProcessFinds) {
    UciClient own = start_client(spec_inside()), process = start_client(spec_outside());
    for (const char* fen : {"r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3",
                            "8/5pk1/3p2p1/2pP3p/2P2P2/4K1P1/7P/8 w - - 0 40"}) {
        SearchReport reports[2];
        for (int i = 0; i < 2; ++i) {
            UciClient& client = i == 0 ? own : process;
            ASSERT_TRUE(client.new_game());
            client.position(*chess::parse_fen(fen));
            client.go({.nodes = 500});
            const auto report = client.wait_bestmove(kAnswerTime);
            ASSERT_TRUE(report) << report.error().message;
            reports[i] = *report;
        }
        EXPECT_EQ(reports[0].best_move, reports[1].best_move) << fen;
        EXPECT_EQ(reports[0].nodes, reports[1].nodes) << fen;
        EXPECT_EQ(reports[0].depth, reports[1].depth) << fen;
    }
}

TEST(InProcessEngine, RefusesOptionsThatTheEngineDoesNotHave) {
    EngineSpec spec = spec_inside();
    spec.options.emplace_back("Nonsense", "1");
    const auto client = UciClient::start(spec);
    ASSERT_FALSE(client);
    EXPECT_EQ(client.error().message, "engine 'SOLIS inside' has no option 'Nonsense'");
}

TEST(InProcessEngine, StopEndsAnInfiniteSearch) {
    UciClient client = start_client(spec_inside());
    client.position(chess::Position::start());
    client.go({.infinite = true});
    ASSERT_TRUE(client.wait_ready());
    ASSERT_TRUE(client.stop());
    EXPECT_TRUE(client.wait_bestmove(kAnswerTime));
}

TEST(InProcessEngine, GoesAwayInTheMiddleOfASearch) {
    {
        UciClient client = start_client(spec_inside());
        client.go({.infinite = true});
        ASSERT_TRUE(client.wait_ready());
    }
    {
        // After a wait that was given up the client does not even say "quit".
        UciClient client = start_client(spec_inside());
        std::stop_source stop;
        client.stop_waiting_on(stop.get_token());
        client.go({.infinite = true});
        ASSERT_TRUE(client.wait_ready());
        stop.request_stop();
        EXPECT_FALSE(client.wait_bestmove(kAnswerTime));
        EXPECT_EQ(client.fault(), EngineFault::Stopped);
    }
}

TEST(InProcessEngine, LinesMayComeInPieces) {
    InProcessEngine engine("x", Seed{1});
    for (const char* piece : {"u", "ci\nis", "ready", "\n"}) {
        ASSERT_EQ(engine.write(piece, far_off()), IoStatus::Done);
    }
    EXPECT_TRUE(awaits(engine, "id name x"));
    EXPECT_TRUE(awaits(engine, "uciok"));
    EXPECT_TRUE(awaits(engine, "readyok"));
}

TEST(InProcessEngine, SilenceEndsAtTheDeadline) {
    InProcessEngine engine("x", Seed{1});
    std::string_view line;
    EXPECT_EQ(engine.read_line(line, Clock::now() + milliseconds(20)), IoStatus::TimedOut);
    EXPECT_EQ(engine.exit_status(milliseconds(1)), std::nullopt);
}

TEST(InProcessEngine, WhatWasSaidBeforeTheEndCanStillBeRead) {
    InProcessEngine engine("x", Seed{1});
    ASSERT_EQ(engine.write("uci\nquit\n", far_off()), IoStatus::Done);
    EXPECT_EQ(engine.exit_status(kAnswerTime), ExitStatus{});
    EXPECT_EQ(engine.write("isready\n", far_off()), IoStatus::Closed);
    EXPECT_TRUE(awaits(engine, "uciok"));
    std::string_view line;
    EXPECT_EQ(engine.read_line(line, far_off()), IoStatus::Closed);
}

}  // namespace
}  // namespace solis::engine
