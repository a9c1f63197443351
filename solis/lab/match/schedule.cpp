// From a number to a game.
#include "solis/lab/match/schedule.h"

#include <utility>

namespace solis::lab {
namespace {

// Pairing i of a round robin of n: (0,1), (0,2), ... (1,2), ...
std::pair<int, int> round_robin_pairing(std::uint64_t i, int players) {
    int first = 0;
    for (auto row = static_cast<std::uint64_t>(players - 1); i >= row; --row, ++first) i -= row;
    return {first, first + 1 + static_cast<int>(i)};
}

}  // namespace

std::uint64_t Schedule::pairings() const {
    const auto players = static_cast<std::uint64_t>(options_.players);
    if (options_.tournament == Tournament::Gauntlet) return players - 1;
    return players * (players - 1) / 2;
}

ScheduledGame Schedule::game(std::uint64_t number) const {
    const std::uint64_t per_pairing = games_per_pairing();
    const std::uint64_t encounter = number / per_pairing;
    const std::uint64_t round = encounter / pairings();
    const std::uint64_t pairing = encounter % pairings();
    const auto [first, second] = options_.tournament == Tournament::Gauntlet
                                     ? std::pair(0, static_cast<int>(pairing) + 1)
                                     : round_robin_pairing(pairing, options_.players);
    const bool reversed = options_.paired ? number % 2 == 1 : (round + pairing) % 2 == 1;
    return {number, round, reversed ? second : first, reversed ? first : second};
}

}  // namespace solis::lab
