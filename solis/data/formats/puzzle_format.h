// Lichess puzzles: CSV with the columns PuzzleId, FEN, Moves, Rating, RatingDeviation, Popularity,
// NbPlays, Themes, ...
#pragma once
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "solis/base/byte_source.h"
#include "solis/base/result.h"
#include "solis/chess/position.h"
#include "solis/data/formats/row_source.h"

namespace solis::data {

struct Puzzle {
    std::string id;
    chess::Position start = chess::Position::start();
    std::vector<chess::Move> moves;  // the opponent's move, then the solution; all legal
    int rating = 0;                  // 0: not given
    std::vector<std::string> themes;
};

// Rows of RFC 4180: a line end inside quotes belongs to the field.
[[nodiscard]] std::unique_ptr<RowReader> csv_rows(std::unique_ptr<ByteSource> source);
// False where the row holds no puzzle: a blank line, the heading. Columns after Moves may be
// missing.
[[nodiscard]] Result<bool> parse_puzzle(std::string_view row, Puzzle& puzzle);

}  // namespace solis::data
