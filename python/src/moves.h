// Moves as text, and how games end, for the parts of the module that know chess.
#pragma once
#include "python/src/common.h"
#include "solis/chess/rules.h"
#include "solis/chess/uci_move.h"

namespace solis::python {

// A legal move in UCI or SAN notation; raises what the parser says otherwise.
[[nodiscard]] chess::Move to_move(const chess::Position& position, const std::string& text);

// (reason, winner or None).
[[nodiscard]] py::object outcome_tuple(const chess::Outcome& outcome);

}  // namespace solis::python
