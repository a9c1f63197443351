// Positions by chance, the same for the same seed: openings of games, walks for benchmarks and
// tests, and placements of a few pieces.
#pragma once
#include <string_view>

#include "solis/base/rng.h"
#include "solis/chess/game.h"
#include "solis/chess/movegen.h"

namespace solis::chess {

// `moves` must not be empty.
[[nodiscard]] inline Move random_move(const MoveList& moves, Rng& rng) {
    return moves[rng.below(moves.size())];
}

// A game of this many random moves from the initial position that is not over; drawn again until
// one is not.
[[nodiscard]] Game random_opening(int plies, Rng& rng);

// Games of random moves one after the other, position by position.
class RandomWalk {
  public:
    static constexpr int kNoLimit = 1 << 30;

    // A game ends by the rules, repetitions left aside, or after `most_plies`. `rng` must outlive
    // this.
    explicit RandomWalk(Rng& rng, int most_plies = kNoLimit) : rng_(rng), most_plies_(most_plies) {}

    // The position after the next move, or the initial position of a new game.
    const Position& next();

  private:
    Rng& rng_;
    int most_plies_;
    int plies_ = 0;
    Position position_ = Position::start();
};

// White's king and `pieces` (letters as in FEN, so that small ones are Black's) and Black's king on
// different squares, White to move. The position need not be legal.
[[nodiscard]] Setup random_placement(std::string_view pieces, Rng& rng);

}  // namespace solis::chess
