// Random play from awkward positions, the same for the same seed.
#pragma once
#include <cstddef>

#include "solis/base/rng.h"
#include "solis/chess/fen.h"
#include "solis/chess/random_positions.h"
#include "tests/chess/awkward_positions.h"

namespace solis::chess {

// Calls visit(position, legal moves, move that is played next) along one random game from each
// awkward position; the last position of a game that has ended is not visited.
template <class Visit>
void for_each_random_move(Seed seed, std::size_t plies, Visit&& visit) {
    Rng rng(seed);
    for (const std::string_view fen : kAwkwardFens) {
        Position position = *parse_fen(fen);
        for (std::size_t ply = 0; ply < plies; ++ply) {
            const MoveList moves = legal_moves(position);
            if (moves.empty()) break;
            const Move move = random_move(moves, rng);
            visit(position, moves, move);
            position = position.after(move);
        }
    }
}

}  // namespace solis::chess
