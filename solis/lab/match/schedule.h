// Who plays whom, with which colours and from which opening: a function of the game's number.
#pragma once
#include <cstdint>
#include <span>
#include <string_view>

namespace solis::lab {

enum class Tournament {
    RoundRobin,  // everybody against everybody
    Gauntlet     // the first player against each of the others
};

struct ScheduleOptions {
    Tournament tournament = Tournament::RoundRobin;
    int players = 2;  // at least 2
    // In every round every pairing plays one opening: with both colours if `paired`, else once,
    // colours by turns.
    std::uint64_t rounds = 1;
    bool paired = true;
};

struct ScheduledGame {
    std::uint64_t number = 0;
    std::uint64_t round = 0;  // the opening belongs to the round
    int white = 0;
    int black = 0;
};

// Game n does not depend on the number of rounds, so a match can be continued with more of them.
class Schedule {
  public:
    explicit Schedule(const ScheduleOptions& options) : options_(options) {}

    [[nodiscard]] const ScheduleOptions& options() const { return options_; }
    [[nodiscard]] std::uint64_t pairings() const;
    [[nodiscard]] std::uint64_t games() const {
        return options_.rounds * pairings() * games_per_pairing();
    }
    [[nodiscard]] ScheduledGame game(std::uint64_t number) const;

  private:
    [[nodiscard]] std::uint64_t games_per_pairing() const { return options_.paired ? 2 : 1; }

    ScheduleOptions options_;
};

}  // namespace solis::lab
