// Formats that hold whole games: PGN with [%eval] comments, and tree text.
#pragma once
#include <memory>
#include <string>

#include "solis/base/byte_sink.h"
#include "solis/base/byte_source.h"
#include "solis/data/formats/row_source.h"
#include "solis/data/game_sink.h"
#include "solis/data/game_source.h"

namespace solis::data {

// Scores are the [%eval] comments (White's view, of the position after the move they follow);
// positions without one stay unlabelled. Variations of one or two moves with an evaluation become
// branches. A game that ends in an error is a bad row.
[[nodiscard]] std::unique_ptr<GameSource> pgn_source(std::string name,
                                                     std::unique_ptr<ByteSource> source);
// Branches are written as variations, except those of a line's last position, which no move
// continues. Second looks are left out.
[[nodiscard]] std::unique_ptr<GameSink> pgn_sink(std::unique_ptr<ByteSink> out);

// Lines of tree_text.h.
[[nodiscard]] RowFormat tree_rows(std::unique_ptr<ByteSource> source);
[[nodiscard]] std::unique_ptr<GameSink> tree_sink(std::unique_ptr<ByteSink> out);

}  // namespace solis::data
