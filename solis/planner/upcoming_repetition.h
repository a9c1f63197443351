// Repetitions that are one move away.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>

#include "solis/chess/position.h"

namespace solis::planner {

// Whether the side to move has a move after which repeats() would be true: it need not accept less
// than a draw. `keys` and `game_length` are those of repeats(), the last key being the position's.
// A move that is found may leave the king in check, which is too rare to look for.
[[nodiscard]] bool can_repeat(const chess::Position& position, std::span<const std::uint64_t> keys,
                              std::size_t game_length);

}  // namespace solis::planner
