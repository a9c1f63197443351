// Who scored what against whom, what went wrong, and how many games were really different.
#pragma once
#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <unordered_set>
#include <vector>

#include "solis/lab/match/game_record.h"
#include "solis/lab/score_statistics.h"

namespace solis::lab {

// How an engine spent its moves.
struct ThinkingStats {
    std::uint64_t moves = 0;
    double seconds = 0;
    double nodes = 0;
    double depth = 0;   // sum
    double lag_ms = 0;  // sum
    int worst_lag_ms = 0;
};

class Standings {
  public:
    // `paired`: games 2n and 2n+1 are one opening with colours reversed.
    Standings(std::vector<std::string> players, bool paired);

    // Each game once, in any order. Names that are not among the players are ignored.
    void add(const GameRecord& game);

    [[nodiscard]] const std::vector<std::string>& players() const { return players_; }
    [[nodiscard]] std::uint64_t games() const { return games_; }
    // Different in start position or moves.
    [[nodiscard]] std::uint64_t distinct_games() const { return fingerprints_.size(); }

    // Of `player` against `opponent`, and against everybody.
    [[nodiscard]] ScoreCount score(std::size_t player, std::size_t opponent) const;
    [[nodiscard]] ScoreCount score(std::size_t player) const;
    // Of all games, seen by White, as singles.
    [[nodiscard]] const ScoreCount& white_score() const { return white_; }
    [[nodiscard]] std::uint64_t endings(Ending ending) const {
        return endings_[static_cast<std::size_t>(ending)];
    }
    // How often it was to blame for such an ending.
    [[nodiscard]] std::uint64_t faults(std::size_t player, Ending ending) const {
        return faults_[player][static_cast<std::size_t>(ending)];
    }
    [[nodiscard]] std::uint64_t faults(std::size_t player) const;
    [[nodiscard]] const ThinkingStats& thinking(std::size_t player) const {
        return thinking_[player];
    }

  private:
    [[nodiscard]] std::size_t index_of(const std::string& name) const;
    void count_score(std::uint64_t number, std::size_t player, std::size_t opponent, double points);
    void count_thinking(const GameRecord& game, std::size_t white, std::size_t black);

    std::vector<std::string> players_;
    bool paired_;
    std::uint64_t games_ = 0;
    std::vector<ScoreCount> scores_;  // players x players
    ScoreCount white_;
    std::array<std::uint64_t, kEndings> endings_{};
    std::vector<std::array<std::uint64_t, kEndings>> faults_;
    std::vector<ThinkingStats> thinking_;
    std::unordered_set<std::uint64_t> fingerprints_;
    // Half-played pairs: points of the pairing's lower player in the game there is.
    std::map<std::uint64_t, double> open_pairs_;
};

}  // namespace solis::lab
