// Random labelled games for tests: legal moves, every kind of score, every shape of branch.
#pragma once
#include <vector>

#include "solis/base/rng.h"
#include "solis/data/labelled_game.h"

namespace solis::data {

// Plays at most `max_plies` from the standard start or one of several awkward positions.
[[nodiscard]] LabelledGame random_game(Rng& rng, std::size_t max_plies);
[[nodiscard]] std::vector<LabelledGame> random_games(Seed seed, std::size_t count,
                                                     std::size_t max_plies);

}  // namespace solis::data
