// Who meets whom.
#include "solis/lab/match/schedule.h"

#include <map>
#include <set>
#include <tuple>

#include <gtest/gtest.h>

namespace solis::lab {
namespace {

ScheduleOptions options(Tournament tournament, int players, std::uint64_t rounds, bool paired) {
    return {tournament, players, rounds, paired};
}

TEST(Schedule, RoundRobinPlaysEveryPairWithBothColoursFromEachOpening) {
    for (const int players : {2, 3, 5, 8}) {
        const Schedule schedule(options(Tournament::RoundRobin, players, 3, true));
        std::map<std::tuple<int, int, std::uint64_t>, int> met;
        for (std::uint64_t n = 0; n < schedule.games(); ++n) {
            const ScheduledGame game = schedule.game(n);
            EXPECT_EQ(game.number, n);
            EXPECT_NE(game.white, game.black);
            ++met[{game.white, game.black, game.round}];
        }
        EXPECT_EQ(met.size(), static_cast<std::size_t>(players * (players - 1) * 3));
        for (const auto& [key, times] : met) EXPECT_EQ(times, 1);
    }
}

TEST(Schedule, PartnersOfAPairFollowEachOther) {
    const Schedule schedule(options(Tournament::RoundRobin, 4, 5, true));
    for (std::uint64_t n = 0; n < schedule.games(); n += 2) {
        const ScheduledGame first = schedule.game(n), second = schedule.game(n + 1);
        EXPECT_EQ(first.round, second.round);
        EXPECT_EQ(first.white, second.black);
        EXPECT_EQ(first.black, second.white);
    }
}

TEST(Schedule, GauntletIsTheFirstAgainstAllOthers) {
    const Schedule schedule(options(Tournament::Gauntlet, 4, 2, true));
    EXPECT_EQ(schedule.games(), 12u);
    std::map<int, int> games;
    for (std::uint64_t n = 0; n < schedule.games(); ++n) {
        const ScheduledGame game = schedule.game(n);
        ASSERT_TRUE((game.white == 0) != (game.black == 0));
        ++games[game.white + game.black];
    }
    EXPECT_EQ(games, (std::map<int, int>{{1, 4}, {2, 4}, {3, 4}}));
}

TEST(Schedule, UnpairedGamesAlternateColours) {
    const Schedule schedule(options(Tournament::RoundRobin, 3, 6, false));
    EXPECT_EQ(schedule.games(), 18u);
    std::map<std::pair<int, int>, int> met;
    for (std::uint64_t n = 0; n < schedule.games(); ++n) {
        const ScheduledGame game = schedule.game(n);
        ++met[{game.white, game.black}];
    }
    EXPECT_EQ(met.size(), 6u);
    for (const auto& [pair, times] : met) EXPECT_EQ(times, 3);
}

TEST(Schedule, MoreRoundsLeaveEarlierGamesAsTheyWere) {
    const Schedule few(options(Tournament::RoundRobin, 4, 2, true));
    const Schedule many(options(Tournament::RoundRobin, 4, 9, true));
    for (std::uint64_t n = 0; n < few.games(); ++n) {
        EXPECT_EQ(few.game(n).white, many.game(n).white);
        EXPECT_EQ(few.game(n).round, many.game(n).round);
    }
}

}  // namespace
}  // namespace solis::lab
