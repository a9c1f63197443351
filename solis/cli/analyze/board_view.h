// A position as a person wants to see it in a terminal.
#pragma once
#include "solis/base/console.h"
#include "solis/chess/position.h"

namespace solis::cli {

// Eight lines from rank 8 down and the names of the files; White's pieces in bold.
void print_board(const chess::Position& position, Console& console);

}  // namespace solis::cli
