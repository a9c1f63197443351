// solis.Game: what a game is to Python.
#pragma once
#include <string>
#include <utility>
#include <vector>

#include "python/src/common.h"
#include "solis/chess/game.h"
#include "solis/chess/game_result.h"

namespace solis::python {

struct PyGame {
    chess::Game game;
    std::vector<std::pair<std::string, std::string>> tags{};
    std::string result = "*";
};

// The game that Python means: a Game, or a position without history. A copy, so that it may be used
// while other threads go on.
[[nodiscard]] chess::Game to_game(const py::object& object);

}  // namespace solis::python
