// Whole labelling runs: with a fake engine that fails on request, and with Stockfish.
#include "solis/lab/label/labeller.h"

#include <gtest/gtest.h>

#include "solis/engine/client/find_engine.h"
#include "tests/base/temporary_folder.h"

namespace solis::lab {
namespace {

using data::LabelledGame;

struct Finished {
    Result<LabelStats> stats;
    std::vector<LabelledGame> games;
    std::vector<std::string> restarts;
};

LabelRun fake_run(std::vector<std::string> arguments, int processes) {
    LabelRun run;
    run.engine.command = std::move(arguments);
    run.engine.command.insert(run.engine.command.begin(), SOLIS_FAKE_ENGINE);
    run.processes = processes;
    return run;
}

SupplyOptions few_games(std::uint64_t count) {
    SupplyOptions options;
    options.batch_size = 3;
    options.end_game = count;
    return options;
}

Finished label(const LabelRun& run, const SupplyOptions& options) {
    SelfPlayOptions play;
    play.max_plies = 30;
    const auto supply = make_self_play_supply(play, run.labels, options);
    Finished finished{LabelStats{}, {}, {}};
    LabelHooks hooks;
    hooks.take = [&](const LabelledGame& game) {
        finished.games.push_back(game);
        return true;
    };
    hooks.restarted = [&](const Error& error) { finished.restarts.push_back(error.message); };
    finished.stats = label_games(run, *supply, hooks);
    return finished;
}

TEST(Labeller, GamesAreTheSameForAnyNumberOfProcessesAndAnyPipeline) {
    const Finished one = label(fake_run({"normal"}, 1), few_games(10));
    ASSERT_TRUE(one.stats) << one.stats.error().message;
    ASSERT_EQ(one.games.size(), 10u);
    for (const int processes : {2, 3}) {
        LabelRun run = fake_run({"normal"}, processes);
        run.pipeline_depth = static_cast<std::size_t>(processes) * 5;
        const Finished several = label(run, few_games(10));
        ASSERT_TRUE(several.stats);
        EXPECT_EQ(several.games, one.games) << processes << " processes";
        EXPECT_EQ(several.stats->searched.searches, one.stats->searched.searches);
    }
}

TEST(Labeller, ContinuingGivesTheRestOfTheGames) {
    const Finished all = label(fake_run({"normal"}, 2), few_games(10));
    SupplyOptions rest = few_games(10);
    rest.first_game = 6;
    const Finished tail = label(fake_run({"normal"}, 2), rest);
    ASSERT_TRUE(tail.stats);
    EXPECT_EQ(tail.games, std::vector<LabelledGame>(all.games.begin() + 6, all.games.end()));
}

TEST(Labeller, CrashedEngineIsStartedAgainAndTheGamesAreRedone) {
    const TemporaryFolder folder;
    const auto marker = folder / "crash-marker";
    const Finished sound = label(fake_run({"normal"}, 1), few_games(6));
    const Finished crashed = label(fake_run({"crash-once", marker.string()}, 1), few_games(6));
    ASSERT_TRUE(crashed.stats) << crashed.stats.error().message;
    EXPECT_EQ(crashed.stats->restarts, 1u);
    ASSERT_EQ(crashed.restarts.size(), 1u);
    EXPECT_NE(crashed.restarts[0].find("signal 9"), std::string::npos) << crashed.restarts[0];
    EXPECT_EQ(crashed.games, sound.games);
}

TEST(Labeller, GivesUpOnAnEngineThatFailsAgainAndAgain) {
    const struct {
        const char* mode;
        const char* text;
    } cases[] = {{"crash", "signal 9"}, {"stall", "hangs"}, {"illegal", "a1a1"}};
    for (const auto& c : cases) {
        LabelRun run = fake_run({c.mode, "4"}, 2);
        // Only who never answers is late: on a busy machine an answer may take this long.
        if (std::string_view(c.mode) == "stall") {
            run.search_timeout = std::chrono::milliseconds(100);
        }
        const Finished finished = label(run, few_games(9));
        ASSERT_FALSE(finished.stats) << c.mode;
        const std::string& message = finished.stats.error().message;
        EXPECT_NE(message.find("failed 3 times"), std::string::npos) << message;
        EXPECT_NE(message.find(c.text), std::string::npos) << message;
    }
}

TEST(Labeller, EngineThatCannotStartIsAnErrorAtOnce) {
    LabelRun run;
    run.engine.command = {"/no/such/engine"};
    const Finished finished = label(run, few_games(3));
    ASSERT_FALSE(finished.stats);
    EXPECT_TRUE(finished.restarts.empty());
}

TEST(Labeller, StopsWhenItHasEnough) {
    const auto supply = make_self_play_supply({}, {}, {});  // endless
    int games = 0;
    LabelHooks hooks;
    hooks.take = [&](const LabelledGame&) { return ++games < 5; };
    const auto stats = label_games(fake_run({"normal"}, 2), *supply, hooks);
    ASSERT_TRUE(stats) << stats.error().message;
    EXPECT_EQ(games, 5);
    EXPECT_FALSE(stats->interrupted);
}

TEST(Labeller, FailureToStoreEndsTheRun) {
    const auto supply = make_self_play_supply({}, {}, {});
    LabelHooks hooks;
    hooks.take = [](const LabelledGame&) -> Result<bool> { return fail("disk full"); };
    const auto stats = label_games(fake_run({"normal"}, 2), *supply, hooks);
    ASSERT_FALSE(stats);
    EXPECT_EQ(stats.error().message, "disk full");
}

TEST(Labeller, InterruptEndsTheRunSoon) {
    const auto supply = make_self_play_supply({}, {}, {});
    LabelHooks hooks;
    hooks.take = [](const LabelledGame&) { return true; };
    hooks.interrupted = [] { return true; };
    const auto stats = label_games(fake_run({"normal"}, 2), *supply, hooks);
    ASSERT_TRUE(stats);
    EXPECT_TRUE(stats->interrupted);
}

TEST(Labeller, StockfishLabelsAreTheSameForOneAndTwoProcesses) {
    const auto path = engine::find_stockfish();
    if (!path) GTEST_SKIP() << path.error().message;
    LabelRun run;
    run.engine.command = {*path};
    run.engine.options = {{"Hash", "1"}};
    run.labels.limits = {.nodes = 60};
    const Finished one = label(run, few_games(6));
    ASSERT_TRUE(one.stats) << one.stats.error().message;
    run.processes = 2;
    run.pipeline_depth = 5;
    const Finished two = label(run, few_games(6));
    ASSERT_TRUE(two.stats) << two.stats.error().message;
    EXPECT_EQ(one.games, two.games);
    for (const LabelledGame& game : one.games) {
        for (const data::Branch& branch : game.branches) EXPECT_FALSE(branch.score.is_none());
    }
}

}  // namespace
}  // namespace solis::lab
