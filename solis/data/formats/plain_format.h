// ".plain", the text form of Stockfish's training data.
#pragma once
#include <memory>
#include <string>

#include "solis/base/byte_source.h"
#include "solis/data/game_source.h"

namespace solis::data {

// Entries of lines "fen F", "move M", "score S", "ply P", "result R", closed by "e"; score and
// result (1, 0, -1) from the side to move's view. Entries that follow one another on the board
// become one game; the move of its last entry ends the line without a score.
[[nodiscard]] std::unique_ptr<GameSource> plain_source(std::string name,
                                                       std::unique_ptr<ByteSource> source);

}  // namespace solis::data
