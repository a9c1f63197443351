// Writes games as PGN in export format: seven-tag roster first, lines of at most 80 columns.
#pragma once
#include <string>

#include "solis/chess/pgn/game.h"

namespace solis::chess {

// Appends the game and an empty line. Missing roster tags are written as "?"; Result, SetUp, FEN
// and the Variant of Chess960 follow from the game itself. Reading it back gives the same game,
// plus the tags that were added.
void append_pgn(std::string& text, const PgnGame& game);
[[nodiscard]] std::string to_pgn(const PgnGame& game);

}  // namespace solis::chess
