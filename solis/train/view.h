// Labels in the view of an encoder.
#pragma once
#include "solis/chess/position.h"
#include "solis/model/view.h"

namespace solis::train {

using model::View;

// A win probability of the side to move, as the view has it.
[[nodiscard]] inline float label_in(View view, const chess::Position& position, float of_mover) {
    const bool same = view == View::Mover || position.side_to_move() == chess::Color::White;
    return same ? of_mover : 1 - of_mover;
}

}  // namespace solis::train
