// Repetition on the way through a tree, with the game's history before it.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

namespace solis::planner {

// Whether the last of `keys` counts as a draw by repetition. The first `game_length` keys are the
// game's, its last the root; the rest leads to the current position. Nothing before the last
// `halfmove_clock` plies can repeat.
[[nodiscard]] inline bool repeats(std::span<const std::uint64_t> keys, std::size_t game_length,
                                  int halfmove_clock) {
    const std::size_t last = keys.size() - 1;
    const std::size_t reach = std::min<std::size_t>(static_cast<std::size_t>(halfmove_clock), last);
    int in_game = 0;
    for (std::size_t back = 4; back <= reach; back += 2) {
        if (keys[last - back] != keys[last]) continue;
        // Once since the root is enough: what was possible once is possible again. In the game
        // before it, the position must have occurred twice.
        if (last - back + 1 >= game_length || ++in_game == 2) return true;
    }
    return false;
}

}  // namespace solis::planner
