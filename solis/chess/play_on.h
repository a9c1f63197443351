// The loop that plays a game. Matches, duels of plans, endings and rehearsals of the clock all use
// it, so that a game ends by the same rules everywhere.
#pragma once
#include <functional>
#include <optional>

#include "solis/chess/game.h"

namespace solis::chess {

// The move of the side whose turn it is; none ends the game without an outcome.
using ChooseMove = std::function<std::optional<Move>(const Game&)>;
// Asked after a move that has not ended the game by the rules; false ends it without an outcome.
using GoesOn = std::function<bool(const Game&)>;

// Plays until the rules end the game. Repetitions and fifty moves count as claimed. None where the
// callers ended it. `choose` must give legal moves; a move it refuses to give is not on the board.
[[nodiscard]] std::optional<Outcome> play_on(Game& game, const ChooseMove& choose,
                                             const GoesOn& goes_on = {});

}  // namespace solis::chess
