// The games of a schedule, several at once.
#include "solis/lab/match/match_runner.h"

#include <set>

#include <fmt/format.h>

#include "solis/lab/match/standings.h"
#include "tests/lab/match/match_helpers.h"

namespace solis::lab {
namespace {

MatchSetup fake_match(int players, std::uint64_t rounds, int concurrency) {
    MatchSetup setup;
    for (int i = 0; i < players; ++i) {
        setup.players.push_back(fake_player(fmt::format("p{}", i), {"normal"}, nodes_limit()));
        setup.engines.push_back(*to_engine(setup.players.back(), {}));
    }
    setup.schedule = Schedule({Tournament::RoundRobin, players, rounds, true});
    OpeningOptions openings;
    openings.rounds = rounds;
    setup.openings = *load_openings(openings, false);
    setup.concurrency = concurrency;
    return setup;
}

TEST(MatchRunner, PlaysEveryMissingGameOnce) {
    const MatchSetup setup = fake_match(3, 3, 3);
    std::vector<bool> played(10);
    played[0] = played[5] = played[9] = true;
    std::multiset<std::uint64_t> numbers;
    MatchHooks hooks;
    hooks.take = [&](const GameRecord& game) {
        numbers.insert(game.number);
        const ScheduledGame planned = setup.schedule.game(game.number);
        EXPECT_EQ(game.white, setup.players[static_cast<std::size_t>(planned.white)].name);
        EXPECT_EQ(game.start, setup.openings.for_round(planned.round).start);
        return true;
    };
    const auto end = run_match(setup, played, hooks);
    ASSERT_TRUE(end) << end.error().message;
    EXPECT_FALSE(end->interrupted);
    EXPECT_EQ(numbers,
              (std::multiset<std::uint64_t>{1, 2, 3, 4, 6, 7, 8, 10, 11, 12, 13, 14, 15, 16, 17}));
}

TEST(MatchRunner, EndsWhenItHasEnoughWhenStoppedAndWhenGamesCannotBeKept) {
    const MatchSetup setup = fake_match(2, 10'000, 2);
    int games = 0;
    MatchHooks hooks;
    hooks.take = [&](const GameRecord&) { return ++games < 5; };
    ASSERT_TRUE(run_match(setup, {}, hooks));
    EXPECT_GE(games, 5);
    EXPECT_LT(games, 100);

    hooks.take = [](const GameRecord&) { return true; };
    hooks.interrupted = [] { return true; };
    EXPECT_TRUE(run_match(setup, {}, hooks)->interrupted);

    hooks.interrupted = [] { return false; };
    hooks.take = [](const GameRecord&) -> Result<bool> { return fail("disk full"); };
    const auto failed = run_match(setup, {}, hooks);
    ASSERT_FALSE(failed);
    EXPECT_EQ(failed.error().message, "disk full");
}

TEST(MatchRunner, GoesOnAfterSearchesThatDoNotEndByThemselves) {
    MatchSetup setup = fake_match(2, 2, 2);
    // Time of its own: on a busy machine it may take longer than a search without a limit is given.
    setup.players[0] = fake_player("p0", {"normal"}, move_time(60'000));
    setup.players[1] = fake_player("p1", {"until-stop"}, nodes_limit());
    for (std::size_t i : {0, 1}) setup.engines[i] = *to_engine(setup.players[i], {});
    setup.times.longest_search = std::chrono::milliseconds(50);
    setup.times.hang_after = std::chrono::milliseconds(60'000);
    int games = 0;
    MatchHooks hooks;
    hooks.take = [&](const GameRecord& game) {
        ++games;
        EXPECT_EQ(game.ending, Ending::TimeLoss) << game.note;
        EXPECT_EQ(*game.at_fault == chess::Color::White ? game.white : game.black, "p1");
        return true;
    };
    const auto end = run_match(setup, {}, hooks);
    ASSERT_TRUE(end) << end.error().message;
    EXPECT_FALSE(end->broken_by) << *end->broken_by;
    EXPECT_EQ(games, 4);
}

GameRecord record(std::uint64_t number, chess::GameResult result) {
    GameRecord game;
    game.number = number;
    game.white = std::string(number % 2 == 0 ? "a" : "b");
    game.black = std::string(number % 2 == 0 ? "b" : "a");
    game.result = result;
    return game;
}

TEST(Standings, PairsAreFoundInAnyOrder) {
    using chess::GameResult;
    // Pair 0: a wins both. Pair 1: a draw and a loss. Game 4 has no partner yet.
    const std::vector<GameRecord> games{
        record(1, GameResult::BlackWins), record(4, GameResult::Draw), record(2, GameResult::Draw),
        record(0, GameResult::WhiteWins), record(3, GameResult::WhiteWins)};
    Standings standings({"a", "b"}, true);
    for (const GameRecord& game : games) standings.add(game);
    const ScoreCount count = standings.score(0);
    EXPECT_EQ(count.wins, 2u);
    EXPECT_EQ(count.draws, 2u);
    EXPECT_EQ(count.losses, 1u);
    EXPECT_EQ(count.pairs, (std::array<std::uint64_t, 5>{0, 1, 0, 0, 1}));
    EXPECT_EQ(count.singles, (std::array<std::uint64_t, 3>{0, 1, 0}));
    EXPECT_EQ(standings.score(1), count.reversed());
    EXPECT_EQ(standings.distinct_games(), 1u) << "five games without moves are the same game";
    Standings unpaired({"a", "b"}, false);
    for (const GameRecord& game : games) unpaired.add(game);
    EXPECT_EQ(unpaired.score(0).pairs, (std::array<std::uint64_t, 5>{}));
    EXPECT_EQ(unpaired.score(0).singles, (std::array<std::uint64_t, 3>{1, 2, 2}));
}

}  // namespace
}  // namespace solis::lab
