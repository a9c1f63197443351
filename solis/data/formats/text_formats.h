// Positions one per line: "FEN | cp | result" (White's view), "FEN<TAB>score[<TAB>kind]" (side to
// move), JSON lines, and Lichess's evaluation and puzzle databases.
#pragma once
#include <memory>

#include "solis/base/byte_source.h"
#include "solis/data/formats/row_source.h"

namespace solis::data {

// What NNUE trainers exchange: "FEN | centipawns | 1.0/0.5/0.0", both from White's view. The
// result may be missing. Blank lines and lines starting with '#' are skipped.
[[nodiscard]] RowFormat text_rows(std::unique_ptr<ByteSource> source);
// "FEN<TAB>score", further columns ignored; the score as in Score, from the side to move's view.
[[nodiscard]] RowFormat tsv_rows(std::unique_ptr<ByteSource> source);
// Either lines of the Lichess evaluation database, {"fen", "evals": [{"pvs": [{"cp" or "mate"}],
// "depth", "knodes"}]} with White's view, of which the deepest evaluation's first line counts; or
// lines as export writes them, {"fen", "cp" or "mate", "result"} with the side to move's view.
[[nodiscard]] RowFormat json_rows(std::unique_ptr<ByteSource> source);
// Lichess puzzles: columns PuzzleId, FEN, Moves, ... as RFC 4180 CSV. Games without scores whose
// line is the opponent's move and the solution.
[[nodiscard]] RowFormat puzzle_rows(std::unique_ptr<ByteSource> source);

}  // namespace solis::data
