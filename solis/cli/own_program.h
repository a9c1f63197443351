// This program as a player of matches.
#pragma once
#include "solis/lab/player_spec.h"

namespace solis::cli {

[[nodiscard]] lab::OwnProgram own_program();

}  // namespace solis::cli
