// Notes on stderr.
#include "solis/lab/match/live_table.h"

#include <fmt/format.h>

namespace solis::lab {

LiveTable::LiveTable(const MatchReport& earlier, std::uint64_t total, std::uint64_t every,
                     Console& console)
    : standings_(standings_of(earlier)),
      total_(total),
      every_(every),
      console_(console),
      progress_(console, "match", total, "games") {
    progress_.update(standings_.games());
}

void LiveTable::add(const GameRecord& game) {
    standings_.add(game);
    if (game.at_fault) report_fault(game);
    const std::uint64_t games = standings_.games();
    if (every_ > 0 && games % every_ == 0 && games < total_) {
        progress_.clear();
        console_.note("{}", score_table(standings_));
    }
    const std::string& first = standings_.players()[0];
    progress_.update(games, fmt::format("{} {}", first, elo_text(standings_.score(0))));
}

void LiveTable::report_fault(const GameRecord& game) {
    progress_.clear();
    const bool white = *game.at_fault == chess::Color::White;
    console_.note("game {}: {} of {}: {}", game.number + 1, name_of(game.ending),
                  white ? game.white : game.black, game.note);
}

}  // namespace solis::lab
