// EPD lines as rows.
#include "solis/data/formats/epd_source.h"

#include "solis/chess/epd.h"
#include "solis/data/formats/row_source.h"

namespace solis::data {
namespace {

Result<bool> parse_epd_row(std::string_view row, LabelledGame& game) {
    const std::size_t begin = row.find_first_not_of(" \t");
    if (begin == std::string_view::npos || row[begin] == '#') return false;
    const auto record = chess::parse_epd(row.substr(begin));
    if (!record) return tl::unexpected(record.error());
    game.start = record->position;
    game.line.emplace_back();
    return true;
}

}  // namespace

std::unique_ptr<GameSource> make_epd_source(std::string name, std::unique_ptr<ByteSource> source) {
    RowFormat format{line_rows(std::move(source)), [] { return ParseRow(parse_epd_row); }};
    return make_row_source(std::move(name), std::move(format), 1);
}

}  // namespace solis::data
