// Bytes that say what a game and a position of its line consist of. Part of the file format.
#pragma once
#include <span>

#include "solis/base/bytes.h"
#include "solis/data/labelled_game.h"

namespace solis::data {

[[nodiscard]] constexpr std::uint8_t game_head(GameResult result, bool standard_start) {
    return static_cast<std::uint8_t>(static_cast<unsigned>(result) | (standard_start ? 4U : 0U));
}
[[nodiscard]] constexpr GameResult result_of_head(std::uint8_t head) {
    return static_cast<GameResult>(head & 3);
}
[[nodiscard]] constexpr bool has_standard_start(std::uint8_t head) { return (head & 4) != 0; }

// Low two bits of a shape: nearly every position has no branch or one.
inline constexpr unsigned kNoBranch = 0;
inline constexpr unsigned kOneMoveBranch = 1;
inline constexpr unsigned kTwoMoveBranch = 2;
// The number of branches as a varint, then their lengths (1 or 2) as bytes, in BranchCounts.
inline constexpr unsigned kListedBranches = 3;
inline constexpr unsigned kBranchMask = 3;
inline constexpr unsigned kHasSecondLook = 4;

inline void append_shape(bool second_look, std::span<const Branch> branches, Bytes& shapes,
                         Bytes& counts) {
    const auto length = [](const Branch& b) { return b.second.is_none() ? 1U : 2U; };
    unsigned shape = kNoBranch;
    if (branches.size() == 1) {
        shape = length(branches[0]) == 1 ? kOneMoveBranch : kTwoMoveBranch;
    } else if (branches.size() > 1) {
        shape = kListedBranches;
        append_varint(counts, branches.size());
        for (const Branch& branch : branches) {
            counts.push_back(static_cast<std::uint8_t>(length(branch)));
        }
    }
    shapes.push_back(static_cast<std::uint8_t>(shape | (second_look ? kHasSecondLook : 0)));
}

}  // namespace solis::data
