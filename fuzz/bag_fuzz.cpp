// Any bytes are refused as a bag or read to the end, compressed or not.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "solis/chess/movegen.h"
#include "solis/data/formats/bag_format.h"

namespace data = solis::data;

int bag_fuzz(const std::uint8_t* bytes, std::size_t size) {
    const std::string_view file(reinterpret_cast<const char*>(bytes), size);
    const auto bag = data::BagView::split(file);
    if (!bag) return 0;
    for (const bool compressed : {false, true}) {
        const auto source = make_row_source("fuzz", data::bag_rows(*bag, compressed), 1);
        data::LabelledGame game;
        for (;;) {
            const auto more = source->next(game);
            if (!more) std::abort();
            if (!*more) break;
            for (const data::Branch& branch : game.branches) {
                if (!solis::chess::is_legal(game.start, branch.first)) std::abort();
            }
        }
        if (source->report().rows != bag->size()) std::abort();
    }
    return 0;
}
