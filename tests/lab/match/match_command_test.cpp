// solis match as a user runs it: killed, continued, spread over ranks, refused.
#include <algorithm>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <set>
#include <thread>

#include <nlohmann/json.hpp>

#include "solis/base/byte_source.h"
#include "solis/base/rng.h"
#include "solis/chess/pgn/reader.h"
#include "solis/engine/client/child_process.h"
#include "solis/lab/match/game_log.h"
#include "tests/lab/match/match_helpers.h"

namespace solis::lab {
namespace {

using engine::ChildProcess;
using engine::ExitStatus;
using std::chrono::milliseconds;

#ifdef SOLIS_SANITIZED
constexpr int kMatchGames = 60;
constexpr int kKills = 6;
#else
constexpr int kMatchGames = 300;
constexpr int kKills = 15;
#endif

std::vector<std::string> match(const std::string& log, int games,
                               std::vector<std::string> more = {},
                               const char* bad_mode = "normal") {
    const std::string fake = SOLIS_FAKE_ENGINE;
    std::vector<std::string> words{SOLIS_BINARY,
                                   "-q",
                                   "match",
                                   "--engine",
                                   "name=a,cmd=" + fake,
                                   "--engine",
                                   "name=b,cmd=" + fake + ",arg=" + bad_mode + ",arg=9",
                                   "--each",
                                   "nodes=10",
                                   "--games",
                                   std::to_string(games),
                                   "--log",
                                   log,
                                   "--concurrency",
                                   "2"};
    words.insert(words.end(), more.begin(), more.end());
    return words;
}

// What is played in each game, without what depends on the machine's speed.
std::vector<std::tuple<std::uint64_t, std::string, std::uint64_t, chess::GameResult>> played(
    const std::string& log) {
    auto content = read_game_log(log);
    EXPECT_TRUE(content) << content.error().message;
    EXPECT_EQ(content->repeated, 0u);
    std::sort(content->games.begin(), content->games.end(),
              [](const auto& a, const auto& b) { return a.number < b.number; });
    std::vector<std::tuple<std::uint64_t, std::string, std::uint64_t, chess::GameResult>> games;
    for (const GameRecord& game : content->games) {
        games.emplace_back(game.number, game.white, fingerprint(game), game.result);
    }
    return games;
}

std::uintmax_t size_of(const std::string& file) {
    std::error_code error;
    const auto size = std::filesystem::file_size(file, error);
    return error ? 0 : size;
}

TEST(MatchCommand, KillsAtAnyMomentLoseAndDoubleNothing) {
    const TemporaryFolder folder;
    ASSERT_EQ(run_to_end(match(folder.file("whole"), kMatchGames)), (ExitStatus{false, 0}));
    const auto expected = played(folder.file("whole"));
    ASSERT_EQ(expected.size(), static_cast<std::size_t>(kMatchGames));
    const std::string log = folder.file("killed");
    Rng rng(Seed{9});
    for (int i = 0; i < kKills; ++i) {
        const std::uintmax_t before = size_of(log);
        auto child = ChildProcess::start(match(log, kMatchGames));
        ASSERT_TRUE(child);
        while (size_of(log) <= before && !child->exit_status(milliseconds(1))) {
        }
        (void)child->exit_status(milliseconds(rng.below(20)));
    }  // SIGKILL
    ASSERT_EQ(run_to_end(match(log, kMatchGames)), (ExitStatus{false, 0}));
    EXPECT_EQ(played(log), expected);
}

TEST(MatchCommand, CanBeContinuedWithMoreGames) {
    const TemporaryFolder folder;
    ASSERT_EQ(run_to_end(match(folder.file("whole"), 20)), (ExitStatus{false, 0}));
    for (const int games : {4, 10, 20}) {
        ASSERT_EQ(run_to_end(match(folder.file("parts"), games)), (ExitStatus{false, 0}));
    }
    EXPECT_EQ(played(folder.file("parts")), played(folder.file("whole")));
    EXPECT_EQ(run_to_end(match(folder.file("parts"), 20, {"--seed", "2"})), (ExitStatus{false, 1}))
        << "another match";
}

TEST(MatchCommand, RanksPlayEveryGameOnce) {
    const TemporaryFolder folder;
    ASSERT_EQ(run_to_end(match(folder.file("whole"), 20)), (ExitStatus{false, 0}));
    const auto as_rank = [&](int rank) {
        std::vector<std::string> words{"/usr/bin/env", "PMI_SIZE=3",
                                       "PMI_RANK=" + std::to_string(rank)};
        const auto command = match(folder.file("ranks"), 20);
        words.insert(words.end(), command.begin(), command.end());
        return ChildProcess::start(words);
    };
    std::vector<ChildProcess> children;
    for (const int rank : {1, 2, 0}) {
        auto child = as_rank(rank);
        ASSERT_TRUE(child);
        children.push_back(std::move(*child));
    }
    for (ChildProcess& child : children) {
        EXPECT_EQ(child.exit_status(milliseconds(120'000)), (ExitStatus{false, 0}));
    }
    EXPECT_EQ(played(folder.file("ranks")), played(folder.file("whole")));
    EXPECT_FALSE(std::filesystem::exists(folder.file("ranks.rank1")));
    EXPECT_FALSE(std::filesystem::exists(folder.file("ranks.rank2")));
}

TEST(MatchCommand, CrashEndsTheMatchUnlessRecovering) {
    const TemporaryFolder folder;
    EXPECT_EQ(run_to_end(match(folder.file("log"), 40, {}, "crash")), (ExitStatus{false, 1}));
    EXPECT_LT(played(folder.file("log")).size(), 40u);
    EXPECT_EQ(run_to_end(match(folder.file("log"), 40, {"--recover"}, "crash")),
              (ExitStatus{false, 0}));
    const auto content = read_game_log(folder.file("log"));
    ASSERT_EQ(content->games.size(), 40u);
    for (const GameRecord& game : content->games) {
        if (!game.at_fault) continue;
        EXPECT_EQ(*game.at_fault == chess::Color::White ? game.white : game.black, "b");
    }
}

TEST(MatchCommand, CtrlCEndsCleanly) {
    const TemporaryFolder folder;
    auto child = ChildProcess::start(match(folder.file("log"), 100'000));
    ASSERT_TRUE(child);
    while (size_of(folder.file("log")) < 10'000) {
        ASSERT_FALSE(child->exit_status(milliseconds(5)));
    }
    ::kill(child->pid(), SIGINT);
    EXPECT_EQ(child->exit_status(milliseconds(60'000)), (ExitStatus{false, 130}));
    EXPECT_GT(played(folder.file("log")).size(), 0u);
}

TEST(MatchCommand, WritesPgnHtmlAndJsonOfTheSameGames) {
    const TemporaryFolder folder;
    const std::vector<std::string> outputs{"--pgn",    folder.file("pgn"),
                                           "--html",   folder.file("html"),
                                           "--report", folder.file("json")};
    ASSERT_EQ(run_to_end(match(folder.file("log"), 6, outputs)), (ExitStatus{false, 0}));
    const std::string pgn = *read_file(folder.file("pgn"));
    const auto source = memory_source(pgn);
    chess::PgnReader reader(*source);
    chess::PgnGame game;
    int games = 0;
    for (auto outcome = reader.next(game); *outcome != chess::PgnOutcome::End;
         outcome = reader.next(game)) {
        ASSERT_EQ(*outcome, chess::PgnOutcome::Game) << reader.error().message;
        ++games;
        EXPECT_EQ(game.result(), chess::GameResult::Draw);
    }
    EXPECT_EQ(games, 6);
    const auto json = nlohmann::json::parse(*read_file(folder.file("json")));
    EXPECT_EQ(json["games"], 6);
    EXPECT_EQ(json["players"][0]["total"]["pairs"], (std::vector<int>{0, 0, 3, 0, 0}));
    // The fake engine is deterministic, so both games of a pair are the same.
    EXPECT_EQ(json["distinct_games"], 3);
    const std::string html = *read_file(folder.file("html"));
    EXPECT_NE(html.find("<svg"), std::string::npos);
    EXPECT_EQ(html.find("http://", html.find("</svg>")), html.rfind("http://www.w3.org"))
        << "nothing is loaded from outside";
}

TEST(MatchCommand, WrongEnginesAreToldBeforeTheMatch) {
    const TemporaryFolder folder;
    const std::string fake = SOLIS_FAKE_ENGINE;
    EXPECT_EQ(run_to_end({SOLIS_BINARY, "-q", "match"}).code, 2);
    EXPECT_EQ(run_to_end({SOLIS_BINARY, "-q", "match", "--engine", fake, "--engine", fake, "--each",
                          "nodes=1"})
                  .code,
              1)
        << "one name for two";
    EXPECT_EQ(run_to_end({SOLIS_BINARY, "-q", "match", "--engine", "name=a,cmd=" + fake, "--engine",
                          "name=b,cmd=" + fake})
                  .code,
              1)
        << "no limit";
    EXPECT_EQ(run_to_end(match(folder.file("log"), 2, {}, "crash-at-start")).code, 1);
}

TEST(MatchCommand, StartTimeoutHoldsForReadyokToo) {
    const TemporaryFolder folder;
    const auto began = engine::Clock::now();
    EXPECT_EQ(run_to_end(match(folder.file("log"), 2, {"--start-timeout", "0.3"}, "no-readyok")),
              (ExitStatus{false, 1}));
    EXPECT_LT(engine::Clock::now() - began, std::chrono::seconds(20))
        << "without the option it would be a minute";
}

TEST(MatchCommand, LeavesAFileThatIsNoLogAlone) {
    const TemporaryFolder folder;
    std::ofstream(folder.file("thesis")) << "no line end";
    EXPECT_EQ(run_to_end(match(folder.file("thesis"), 2)), (ExitStatus{false, 1}));
    EXPECT_EQ(*read_file(folder.file("thesis")), "no line end");
}

}  // namespace
}  // namespace solis::lab
