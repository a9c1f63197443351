// Mating a bare king, where latent scores are flat: every position there is as good as won.
#pragma once
#include "chess/position.h"
#include "planner/value.h"

namespace solis::planner {

// What is added to the value of a position, for its side to move. Not 0 only where there are no
// pawns, one side has nothing but its king and the other can mate it. It counts, by the rules of
// movement alone, how many squares that king could still walk to and how many steps the kings are
// apart: a mate takes both away. Without it a plan that does not see the mate yet has nothing to go
// by.
[[nodiscard]] Value bare_king_value(const chess::Position& position);

}  // namespace solis::planner
