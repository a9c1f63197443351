// Random legal games, the same for the same seed: food for tests and benchmarks.
#pragma once
#include <cstddef>

#include "solis/base/rng.h"
#include "solis/chess/pgn/game.h"

namespace solis::chess {

struct RandomGameOptions {
    std::size_t max_plies = 120;
    bool evals_and_clocks = false;  // two commands after each move, as on Lichess
    bool variations = false;        // nested ones, with comments and NAGs
};

// Plays from game.start(), which it keeps, to mate, stalemate or max_plies; replaces all else.
void make_random_game(Rng& rng, const RandomGameOptions& options, PgnGame& game);

}  // namespace solis::chess
