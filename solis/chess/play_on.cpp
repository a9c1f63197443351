// Move after move.
#include "solis/chess/play_on.h"

namespace solis::chess {

std::optional<Outcome> play_on(Game& game, const ChooseMove& choose, const GoesOn& goes_on) {
    for (bool moved = false;; moved = true) {
        if (auto end = game.outcome(Claims::Counted)) return end;
        if (moved && goes_on && !goes_on(game)) return std::nullopt;
        const std::optional<Move> move = choose(game);
        if (!move) return std::nullopt;
        game.push(*move);
    }
}

}  // namespace solis::chess
