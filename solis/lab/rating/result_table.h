// Who played whom with which results: all that ratings are computed from.
#pragma once
#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "solis/base/result.h"
#include "solis/lab/score_statistics.h"

namespace solis::lab {

// A result from one player's view; the value is the number of half points.
enum class HalfPoints : std::uint8_t { Loss = 0, Draw = 1, Win = 2 };

[[nodiscard]] constexpr HalfPoints reversed(HalfPoints result) {
    return static_cast<HalfPoints>(2 - static_cast<int>(result));
}

// Counts of losses, draws and wins, indexed by HalfPoints; real numbers, for virtual games.
struct Tally {
    std::array<double, 3> counts{};

    [[nodiscard]] double& operator[](HalfPoints result) {
        return counts[static_cast<std::size_t>(result)];
    }
    [[nodiscard]] double wins() const { return counts[2]; }
    [[nodiscard]] double draws() const { return counts[1]; }
    [[nodiscard]] double losses() const { return counts[0]; }
    [[nodiscard]] double games() const { return counts[0] + counts[1] + counts[2]; }
    [[nodiscard]] double points() const { return counts[2] + counts[1] / 2; }
    [[nodiscard]] Tally seen_from_the_other_side() const {
        return {{counts[2], counts[1], counts[0]}};
    }
    Tally& operator+=(const Tally& other);
};

// Two players' games, seen by `first`. A pair is two games from one opening with colours reversed:
// their results depend on each other, so errors are estimated from pairs.
struct Encounter {
    std::size_t first = 0, second = 0;
    Tally as_white, as_black;                      // every game
    std::array<std::array<double, 3>, 3> pairs{};  // [result with White][result with Black]

    [[nodiscard]] Tally all() const;
    [[nodiscard]] double pair_count() const;
    // Games that belong to no pair.
    [[nodiscard]] Tally single_as_white() const;
    [[nodiscard]] Tally single_as_black() const;
    // The same games seen by `second`.
    [[nodiscard]] Encounter seen_from_the_other_side() const;
    // As a match of `first`, without virtual games.
    [[nodiscard]] ScoreCount as_match() const;
};

class ResultTable {
  public:
    // The player's number; new names get the next one.
    std::size_t player(std::string_view name);
    [[nodiscard]] const std::vector<std::string>& names() const { return names_; }

    // A player cannot play itself: the numbers must differ.
    void add_game(std::size_t white, std::size_t black, HalfPoints white_result);
    // Both games of a pair: `a` has White in the first.
    void add_pair(std::size_t a, std::size_t b, HalfPoints a_as_white, HalfPoints a_as_black);
    // Results without known colours, as half of each.
    void add_uncoloured(std::size_t a, std::size_t b, const Tally& results_of_a);

    [[nodiscard]] const std::vector<Encounter>& encounters() const { return encounters_; }
    // The encounters of one player, each seen by it.
    [[nodiscard]] std::vector<Encounter> encounters_of(std::size_t player) const;
    [[nodiscard]] Tally total_of(std::size_t player) const;
    [[nodiscard]] double games() const;

  private:
    Encounter& encounter(std::size_t a, std::size_t b);

    std::vector<std::string> names_;
    std::map<std::string, std::size_t, std::less<>> numbers_;
    std::vector<Encounter> encounters_;
    std::map<std::pair<std::size_t, std::size_t>, std::size_t> places_;
};

}  // namespace solis::lab
