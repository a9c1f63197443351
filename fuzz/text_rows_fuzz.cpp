// Any text given to the importers of lines (text, TSV, JSON, CSV, .plain) is read or refused, and
// every game they give is one that can be played through.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "solis/chess/movegen.h"
#include "solis/data/formats/plain_format.h"
#include "solis/data/formats/text_formats.h"

namespace data = solis::data;

namespace {

void play_through(const data::LabelledGame& game) {
    solis::chess::Position position = game.start;
    if (game.line.empty() || !game.line[0].move.is_none()) std::abort();
    for (std::size_t i = 1; i < game.line.size(); ++i) {
        if (!solis::chess::is_legal(position, game.line[i].move)) std::abort();
        position = position.after(game.line[i].move);
    }
}

void drain(data::GameSource& source) {
    data::LabelledGame game;
    for (;;) {
        const auto more = source.next(game);
        if (!more || !*more) break;
        play_through(game);
    }
    const data::ImportReport& report = source.report();
    if (report.bad_rows > report.rows) std::abort();
}

}  // namespace

// The first byte chooses the format.
int text_rows_fuzz(const std::uint8_t* bytes, std::size_t size) {
    if (size == 0) return 0;
    const std::string_view text(reinterpret_cast<const char*>(bytes) + 1, size - 1);
    auto source = solis::memory_source(text);
    switch (bytes[0] % 5) {
        case 0:
            drain(*make_row_source("fuzz", data::text_rows(std::move(source)), 1));
            break;
        case 1:
            drain(*make_row_source("fuzz", data::tsv_rows(std::move(source)), 1));
            break;
        case 2:
            drain(*make_row_source("fuzz", data::json_rows(std::move(source)), 1));
            break;
        case 3:
            drain(*make_row_source("fuzz", data::puzzle_rows(std::move(source)), 1));
            break;
        default:
            drain(*data::plain_source("fuzz", std::move(source)));
    }
    return 0;
}
