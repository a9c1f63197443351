// What a set of labelled games contains, in numbers that add up: per block, per file, per merge.
#pragma once
#include <array>
#include <cstdint>

#include "solis/data/labelled_game.h"

namespace solis::data {

struct StoreSummary {
    // Bins of equal width over win probability from White's point of view.
    static constexpr std::size_t kBins = 20;

    std::uint64_t games = 0;
    std::uint64_t line_positions = 0;    // start positions included
    std::uint64_t branch_positions = 0;  // end points of side branches
    std::uint64_t labelled = 0;          // positions of either kind that carry a score
    std::uint64_t second_looks = 0;
    std::uint64_t mates = 0;  // of the labelled ones, those with a mate score
    // Sum of game_hash() over the games: the same for the same games in any order.
    std::uint64_t content_hash = 0;
    std::array<std::uint64_t, kBins> white_p{};  // labelled positions by win probability

    // Positions of either kind, labelled or not.
    [[nodiscard]] std::uint64_t positions() const { return line_positions + branch_positions; }
    void add(const LabelledGame& game);
    StoreSummary& operator+=(const StoreSummary& other);

    friend bool operator==(const StoreSummary&, const StoreSummary&) = default;
};

// The bin of StoreSummary::white_p for a win probability.
[[nodiscard]] std::size_t probability_bin(double p);

}  // namespace solis::data
