// This program as a player of matches.
#pragma once
#include "lab/player_spec.h"

namespace solis::cli {

[[nodiscard]] lab::OwnProgram own_program();

}  // namespace solis::cli
