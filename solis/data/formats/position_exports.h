// Export of isolated positions: text, TSV, JSON lines, packed records, ChessBench bags.
#pragma once
#include <memory>

#include "solis/base/byte_sink.h"
#include "solis/data/game_sink.h"

namespace solis::data {

// "FEN | cp | result", White's view; mates as in Score.
[[nodiscard]] std::unique_ptr<GameSink> text_sink(std::unique_ptr<ByteSink> out);
// "FEN<TAB>score", the side to move's view; mates as in Score. No results.
[[nodiscard]] std::unique_ptr<GameSink> tsv_sink(std::unique_ptr<ByteSink> out);
// {"fen", "cp" or "mate", "p", "result"}, the side to move's view; "result" only where known.
[[nodiscard]] std::unique_ptr<GameSink> json_sink(std::unique_ptr<ByteSink> out);
[[nodiscard]] std::unique_ptr<GameSink> marlin_sink(std::unique_ptr<ByteSink> out);
[[nodiscard]] std::unique_ptr<GameSink> bullet_sink(std::unique_ptr<ByteSink> out);
// state_value records, each a zstd frame if `compressed`. No results and no distances to mate.
[[nodiscard]] std::unique_ptr<GameSink> bag_sink(std::unique_ptr<ByteSink> out, bool compressed);

}  // namespace solis::data
