// Importers of formats where one row (a line, a record) is one game: they only say how to find
// the next row and how to read one. Bad rows, threads and order are handled here.
#pragma once
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "solis/base/byte_source.h"
#include "solis/base/result.h"
#include "solis/data/game_source.h"

namespace solis::data {

class RowReader {
  public:
    virtual ~RowReader() = default;
    // The next row, valid until the next call; false at the end.
    [[nodiscard]] virtual Result<bool> next(std::string_view& row) = 0;
    // What a row is called in a message: "line", "record".
    [[nodiscard]] virtual std::string_view unit() const = 0;
};

// Fills a game that holds nothing yet; false where the row is not meant to hold one (a blank
// line, a heading).
using ParseRow = std::function<Result<bool>(std::string_view row, LabelledGame& game)>;
// Called once per thread, so that a parser may keep buffers.
using MakeParser = std::function<ParseRow()>;

struct RowFormat {
    std::unique_ptr<RowReader> reader;
    MakeParser make_parser;
};

// `name` is put in front of row numbers. More than one thread parses rows in parallel; games,
// counts and quoted errors are the same for any number.
[[nodiscard]] std::unique_ptr<GameSource> make_row_source(std::string name, RowFormat format,
                                                          int threads);

// Lines without their ends.
[[nodiscard]] std::unique_ptr<RowReader> line_rows(std::unique_ptr<ByteSource> source);
// Records of `size` bytes; a last one that is cut off is given as it is.
[[nodiscard]] std::unique_ptr<RowReader> record_rows(std::unique_ptr<ByteSource> source,
                                                     std::size_t size);

}  // namespace solis::data
