// Openings by chance: random legal moves from the initial position.
#pragma once
#include "solis/base/rng.h"
#include "solis/chess/game.h"

namespace solis::chess {

// A game of this many random moves that is not over; drawn again until one is not.
[[nodiscard]] Game random_opening(int plies, Rng& rng);

}  // namespace solis::chess
