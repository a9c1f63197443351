// Mates as scores of 16 bits: this number minus the distance to the mate. Stored labels count the
// distance in moves, as UCI does; values inside a plan count it in plies.
#pragma once

namespace solis::chess {

inline constexpr int kMateScore = 32'000;

// A mate after `plies` plies as UCI counts it: the moves of the side that mates.
[[nodiscard]] constexpr int mate_moves(int plies) { return (plies + 1) / 2; }

}  // namespace solis::chess
