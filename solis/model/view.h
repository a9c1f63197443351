// Whose eyes an encoder sees the board with.
#pragma once
#include <cstdint>

namespace solis::model {

// Labels, axis and calibration of an encoder are in its view.
enum class View : std::uint8_t {
    Mover,  // the side to move: the same position with colours swapped has the same embedding
    White
};

}  // namespace solis::model
