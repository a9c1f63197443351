// The real engine process, talked to as a GUI would.
#include <fstream>

#include <gtest/gtest.h>

#include "solis/chess/fen.h"
#include "solis/chess/game.h"
#include "solis/chess/uci_move.h"
#include "solis/engine/client/child_process.h"
#include "solis/engine/client/uci_client.h"
#include "solis/engine/words.h"

namespace solis::engine {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kPatience{120'000};

class UciEngine : public testing::Test {
  protected:
    void SetUp() override {
        EngineSpec spec;
        spec.command = {SOLIS_BINARY, "uci"};
        spec.options = {{"Hash", "8"}};
        spec.timeouts.start = kPatience;
        auto started = UciClient::start(spec);
        ASSERT_TRUE(started) << started.error().message;
        client_.emplace(std::move(*started));
    }
    bool is_legal(const SearchReport& report, const chess::Position& position) {
        return chess::parse_uci(position, report.best_move).has_value();
    }

    std::optional<UciClient> client_;
};

TEST_F(UciEngine, SaysWhoItIs) {
    EXPECT_TRUE(client_->name().starts_with("SOLIS "));
    ASSERT_NE(client_->find_option("move overhead"), nullptr);
}

TEST_F(UciEngine, StopEndsAnInfiniteSearch) {
    for (int i = 0; i < 3; ++i) {
        client_->position(chess::Position::start());
        client_->go({.infinite = true});
        ASSERT_TRUE(client_->wait_ready());
        ASSERT_TRUE(client_->stop());
        const auto report = client_->wait_bestmove(kPatience);
        ASSERT_TRUE(report) << report.error().message;
        EXPECT_TRUE(is_legal(*report, chess::Position::start()));
        EXPECT_TRUE(report->score);
    }
}

TEST_F(UciEngine, PonderHitTurnsIntoATimedSearch) {
    client_->go(
        {.clock = planner::ClockTime{milliseconds(200), milliseconds(200)}, .ponder = true});
    ASSERT_TRUE(client_->wait_ready());
    client_->send("ponderhit");
    const auto report = client_->wait_bestmove(kPatience);
    ASSERT_TRUE(report) << report.error().message;
    EXPECT_TRUE(is_legal(*report, chess::Position::start()));
}

TEST_F(UciEngine, QueuedSearchesAreAnsweredInOrder) {
    chess::Position position = chess::Position::start();
    std::vector<chess::Position> asked;
    for (const char* move : {"e2e4", "e7e5", "g1f3", "b8c6", "f1b5", "a7a6"}) {
        asked.push_back(position);
        client_->position(position);
        client_->go({.nodes = 200});
        position = position.after(*chess::parse_uci(position, move));
    }
    for (const chess::Position& expected : asked) {
        const auto report = client_->wait_bestmove(kPatience);
        ASSERT_TRUE(report) << report.error().message;
        EXPECT_TRUE(is_legal(*report, expected)) << chess::to_fen(expected);
    }
}

TEST_F(UciEngine, PlaysAGameToItsEndOrTheHundredthPly) {
    chess::Game game;
    while (!game.outcome(chess::Claims::Counted) && game.moves().size() < 100) {
        client_->position(game.start(), game.moves());
        client_->go({.nodes = 300});
        const auto report = client_->wait_bestmove(kPatience);
        ASSERT_TRUE(report) << report.error().message;
        const auto move = chess::parse_uci(game.position(), report->best_move);
        ASSERT_TRUE(move) << move.error().message;
        game.push(*move);
    }
    EXPECT_FALSE(game.moves().empty());
}

// The node count of `bench`: a fingerprint of model and plan.
std::string bench_signature() {
    auto client =
        UciClient::start({.command = {SOLIS_BINARY, "uci"}, .options = {}, .timeouts = {}});
    if (!client) return client.error().message;
    client->send("bench");
    std::string signature;
    const auto found = client->wait_line(
        [&](std::string_view line) {
            if (!line.starts_with("Nodes searched")) return false;
            signature = trimmed(line.substr(line.find(':') + 1));
            return true;
        },
        kPatience, "the bench signature");
    return found ? signature : found.error().message;
}

TEST(UciBench, SignatureIsTheOneOnFile) {
    std::ifstream file(SOLIS_TEST_FILES "/bench_signature.txt");
    std::string expected;
    file >> expected;
    const std::string first = bench_signature();
    EXPECT_EQ(first, bench_signature()) << "bench is not deterministic";
    EXPECT_EQ(first, expected) << "the model or the plan changed. If that is meant: "
                                  "scripts/update-bench-signature";
}

// What the process does with this input and nothing after it.
struct Ended {
    std::string output;
    std::optional<ExitStatus> status;
};
Ended run_to_end(std::string_view input) {
    auto process = ChildProcess::start({SOLIS_BINARY, "uci"});
    if (!process) return {process.error().message, {}};
    const auto deadline = Clock::now() + kPatience;
    Ended ended;
    (void)process->write(input, deadline);
    process->close_input();
    std::string_view line;
    while (process->read_line(line, deadline) == IoStatus::Done) {
        ended.output += line;
        ended.output += '\n';
    }
    ended.status = process->exit_status(kPatience);
    return ended;
}

TEST(UciProcess, EndOfInputAtAnyMomentIsACleanEnd) {
    const std::string dialogue =
        "uci\nisready\nposition startpos moves e2e4\ngo infinite\nstop\ngo ponder wtime 100 "
        "btime 100\nponderhit\ngo perft 12\nquit\n";
    for (std::size_t size = 0; size <= dialogue.size(); size += 9) {
        const Ended ended = run_to_end(dialogue.substr(0, size));
        ASSERT_TRUE(ended.status) << size;
        EXPECT_EQ(*ended.status, (ExitStatus{false, 0})) << size << ended.status->text();
    }
}

TEST(UciProcess, NulBytesAndLongLinesDoNoHarm) {
    std::string input("is\0ready\n\0\0\0\n", 14);
    input += std::string(3 << 20, 'y') + "\nisready\n";
    input += std::string(3 << 20, '\0');
    const Ended ended = run_to_end(input);
    ASSERT_TRUE(ended.status);
    EXPECT_EQ(*ended.status, (ExitStatus{false, 0}));
    EXPECT_NE(ended.output.find("\nreadyok\n"), std::string::npos);
    EXPECT_NE(ended.output.find("more than 1048576 bytes"), std::string::npos);
}

TEST(UciProcess, BenchIsFinishedAtTheEndOfInput) {
    EXPECT_NE(run_to_end("bench 2\n").output.find("Nodes searched"), std::string::npos);
}

}  // namespace
}  // namespace solis::engine
