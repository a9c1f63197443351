// Any text either is refused or parses to a game that survives a round trip.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "solis/data/formats/tree_text.h"

namespace data = solis::data;

int tree_text_fuzz(const std::uint8_t* bytes, std::size_t size) {
    const std::string_view line(reinterpret_cast<const char*>(bytes), size);
    data::LabelledGame game, again;
    if (!data::parse_tree_text(line, game)) return 0;
    if (!data::parse_tree_text(data::to_tree_text(game), again) || !(again == game)) std::abort();
    return 0;
}
