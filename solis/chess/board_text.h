// Boards as text: the one place that knows which way up a board stands and where the names of its
// ranks and files go.
#pragma once
#include <cstddef>
#include <functional>
#include <span>
#include <string>

#include "solis/chess/position.h"

namespace solis::chess {

// What is written in the cell of a square.
using CellText = std::function<std::string(Square)>;

// Nine lines, from "8 r n b q k b n r" down to rank 1 and the names of the files. Every cell is one
// character wide, apart from codes that a terminal does not show.
[[nodiscard]] std::string draw_board(const CellText& cell);
// The pieces as in FEN; an empty square is a dot.
[[nodiscard]] std::string draw_board(const Position& position);

// A board with a frame around every square. A cell has one line of text for each entry of `lines`,
// all of `width` characters.
[[nodiscard]] std::string draw_framed_board(std::span<const CellText> lines, std::size_t width);

}  // namespace solis::chess
