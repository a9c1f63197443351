// Random moves.
#include "solis/chess/random_opening.h"

#include "solis/chess/movegen.h"

namespace solis::chess {

Game random_opening(int plies, Rng& rng) {
    for (;;) {
        Game game;
        for (int ply = 0; ply < plies; ++ply) {
            const MoveList moves = legal_moves(game.position());
            if (moves.empty()) break;
            game.push(moves[rng.below(moves.size())]);
        }
        if (!game.outcome(Claims::Counted)) return game;
    }
}

}  // namespace solis::chess
