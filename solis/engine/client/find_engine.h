// Where engines are installed.
#pragma once
#include <string>

#include "solis/base/result.h"

namespace solis::engine {

// The path of an engine given as path or name. Names are looked up in PATH and in the folders
// where distributions put games, which are often not in PATH.
[[nodiscard]] Result<std::string> find_engine(const std::string& name);
// $SOLIS_STOCKFISH, or the installed stockfish.
[[nodiscard]] Result<std::string> find_stockfish();

}  // namespace solis::engine
