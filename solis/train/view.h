// Whose eyes an encoder sees the board with.
#pragma once
#include "solis/chess/position.h"

namespace solis::train {

enum class View {
    Mover,  // the side to move: the same position with colours swapped has the same embedding
    White
};

// A win probability of the side to move, as the view has it.
[[nodiscard]] inline float label_in(View view, const chess::Position& position, float of_mover) {
    const bool same = view == View::Mover || position.side_to_move() == chess::Color::White;
    return same ? of_mover : 1 - of_mover;
}

}  // namespace solis::train
