// Any text given as an engine is understood or refused, and what is understood can be written and
// read back.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "solis/lab/player_spec.h"

namespace lab = solis::lab;

int player_spec_fuzz(const std::uint8_t* bytes, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(bytes), size);
    const auto player = lab::parse_player(text);
    if (!player) return 0;
    const auto again = lab::parse_player(lab::to_text(*player));
    if (!again || *again != *player) std::abort();
    return 0;
}
