// The dialogue with a well-behaved engine, with misbehaving ones, and with Stockfish.
#include "solis/engine/client/uci_client.h"

#include <csignal>

#include <gtest/gtest.h>

#include "solis/chess/fen.h"
#include "solis/chess/movegen.h"
#include "solis/chess/uci_move.h"
#include "solis/engine/client/find_engine.h"

namespace solis::engine {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kLong{60'000};
constexpr milliseconds kShort{100};

EngineSpec fake(std::vector<std::string> arguments) {
    EngineSpec spec;
    spec.command = std::move(arguments);
    spec.command.insert(spec.command.begin(), SOLIS_FAKE_ENGINE);
    return spec;
}

bool mentions(const Error& error, std::string_view text) {
    return error.message.find(text) != std::string::npos;
}

TEST(UciClient, LearnsNameAndOptions) {
    const auto client = UciClient::start(fake({"normal"}));
    ASSERT_TRUE(client) << client.error().message;
    EXPECT_EQ(client->name(), "Fake Engine 1");
    EXPECT_EQ(client->author(), "the tests");
    EXPECT_EQ(client->options().size(), 4u);
    ASSERT_NE(client->find_option("style OF play"), nullptr);
    EXPECT_EQ(client->find_option("style OF play")->choices.size(), 2u);
    EXPECT_EQ(client->find_option("Threads"), nullptr);
}

TEST(UciClient, RefusesOptionsTheEngineDoesNotTake) {
    auto client = UciClient::start(fake({"normal"}));
    EXPECT_TRUE(client->set_option("hash", "2"));
    EXPECT_TRUE(client->set_option("Clear Hash", ""));
    EXPECT_FALSE(client->set_option("Hash", "0"));
    EXPECT_FALSE(client->set_option("Threads", "1"));
    EngineSpec spec = fake({"normal"});
    spec.options = {{"Hash", "much"}};
    const auto refused = UciClient::start(spec);
    ASSERT_FALSE(refused);
    EXPECT_TRUE(mentions(refused.error(), "'Hash'")) << refused.error().message;
}

TEST(UciClient, ReportsTheLastExactScore) {
    auto client = UciClient::start(fake({"normal"}));
    client->position(chess::Position::start());
    client->go({.nodes = 120});
    int lines = 0;
    const auto report = client->wait_bestmove(kLong, [&](const SearchInfo&) { ++lines; });
    ASSERT_TRUE(report) << report.error().message;
    EXPECT_EQ(lines, 3);
    ASSERT_TRUE(report->score);
    EXPECT_LE(std::abs(report->score->value), 200);
    EXPECT_EQ(report->depth, 2);
    EXPECT_EQ(report->ponder, "a7a6");
    EXPECT_TRUE(chess::parse_uci(chess::Position::start(), report->best_move));
}

TEST(UciClient, BoundsAloneAreNoScore) {
    auto client = UciClient::start(fake({"bounds-only"}));
    client->go({.nodes = 1});
    const auto report = client->wait_bestmove(kLong);
    ASSERT_TRUE(report);
    EXPECT_FALSE(report->score);
}

TEST(UciClient, TellsFaultsApart) {
    const struct {
        const char* mode;
        EngineFault fault;
        const char* text;
    } cases[] = {{"crash", EngineFault::Crashed, "signal 9"},
                 {"exit", EngineFault::Crashed, "exited with code 3"},
                 {"stall", EngineFault::TimedOut, "hangs"},
                 {"flood", EngineFault::TimedOut, "hangs"},
                 {"long-line", EngineFault::Garbage, "bytes"},
                 {"no-move", EngineFault::Garbage, "without a move"}};
    for (const auto& c : cases) {
        auto client = UciClient::start(fake({c.mode, "2"}));
        ASSERT_TRUE(client) << c.mode;
        client->go({.nodes = 1});
        ASSERT_TRUE(client->wait_bestmove(kLong)) << c.mode;
        client->go({.nodes = 1});
        const bool is_late = c.fault == EngineFault::TimedOut;
        const auto report = client->wait_bestmove(is_late ? kShort : kLong);
        ASSERT_FALSE(report) << c.mode;
        EXPECT_EQ(client->fault(), c.fault) << c.mode;
        EXPECT_TRUE(mentions(report.error(), c.text)) << report.error().message;
    }
}

TEST(UciClient, HandshakeFaultsSayWhatHappened) {
    const struct {
        const char* mode;
        const char* text;
    } cases[] = {{"garbage", "it said 'Hello! ?[31mI am"},
                 {"no-uciok", "hangs: no 'uciok' within"},
                 {"slow-start", "hangs: no 'uciok' within"},
                 {"crash-at-start", "signal 9"}};
    for (const auto& c : cases) {
        EngineSpec spec = fake({c.mode, "100000"});
        // What must be heard within the limit gets time for the start of the process.
        const std::string_view mode = c.mode;
        if (mode == "garbage") spec.timeouts.start = milliseconds(3000);
        if (mode == "no-uciok" || mode == "slow-start") spec.timeouts.start = kShort;
        const auto client = UciClient::start(spec);
        ASSERT_FALSE(client) << c.mode;
        EXPECT_TRUE(mentions(client.error(), c.text)) << client.error().message;
    }
}

TEST(UciClient, SlowStartWithinTheLimitIsFine) {
    EXPECT_TRUE(UciClient::start(fake({"slow-start", "200"})));
}

TEST(UciClient, EngineThatIgnoresQuitIsKilled) {
    EngineSpec spec = fake({"ignore-quit"});
    spec.timeouts.quit = kShort;
    pid_t pid = -1;
    {
        const auto client = UciClient::start(spec);
        ASSERT_TRUE(client);
        pid = client->pid();
    }
    EXPECT_NE(::kill(pid, 0), 0);
}

class WithStockfish : public testing::Test {
  protected:
    void SetUp() override {
        const auto path = find_stockfish();
        if (!path) GTEST_SKIP() << path.error().message;
        EngineSpec spec;
        spec.command = {*path};
        spec.options = {{"Hash", "1"}};
        auto started = UciClient::start(spec);
        ASSERT_TRUE(started) << started.error().message;
        client_.emplace(std::move(*started));
    }

    std::optional<UciClient> client_;
};

TEST_F(WithStockfish, FindsMateInOne) {
    const auto position = chess::parse_fen("6k1/5ppp/8/8/8/8/8/K3R3 w - - 0 1");
    client_->position(*position);
    client_->go({.depth = 5});
    const auto report = client_->wait_bestmove(kLong);
    ASSERT_TRUE(report) << report.error().message;
    EXPECT_EQ(report->best_move, "e1e8");
    EXPECT_EQ(report->score, (UciScore{true, 1, ScoreBound::Exact}));
}

TEST_F(WithStockfish, StopEndsAnInfiniteSearch) {
    client_->position(chess::Position::start());
    client_->go({.infinite = true});
    ASSERT_TRUE(client_->stop());
    const auto report = client_->wait_bestmove(kLong);
    ASSERT_TRUE(report) << report.error().message;
    EXPECT_TRUE(chess::parse_uci(chess::Position::start(), report->best_move));
}

TEST_F(WithStockfish, AnswersQueuedSearchesInOrder) {
    chess::Position position = chess::Position::start();
    std::vector<chess::Position> asked;
    for (int i = 0; i < 30; ++i) {
        asked.push_back(position);
        client_->position(position);
        client_->go({.nodes = 50});
        position = position.after(chess::legal_moves(position)[0]);
    }
    for (const chess::Position& expected : asked) {
        const auto report = client_->wait_bestmove(kLong);
        ASSERT_TRUE(report) << report.error().message;
        EXPECT_TRUE(report->score);
        EXPECT_TRUE(chess::parse_uci(expected, report->best_move)) << chess::to_fen(expected);
    }
}

TEST_F(WithStockfish, NewGameMakesSearchesRepeatable) {
    std::vector<std::uint64_t> nodes;
    for (int i = 0; i < 2; ++i) {
        ASSERT_TRUE(client_->new_game());
        client_->position(chess::Position::start());
        client_->go({.depth = 9});
        nodes.push_back(client_->wait_bestmove(kLong)->nodes);
    }
    EXPECT_EQ(nodes[0], nodes[1]);
}

TEST_F(WithStockfish, NoLegalMoveIsNoFault) {
    client_->position(*chess::parse_fen("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"));
    client_->go({.nodes = 10});
    const auto report = client_->wait_bestmove(kLong);
    ASSERT_TRUE(report) << report.error().message;
    EXPECT_EQ(report->best_move, "(none)");
}

}  // namespace
}  // namespace solis::engine
