// Any bytes given to the reader of match logs are read or refused, and every game it gives can be
// written and read back.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "solis/lab/match/game_log.h"

namespace lab = solis::lab;

int game_log_fuzz(const std::uint8_t* bytes, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(bytes), size);
    const auto content = lab::parse_game_log(text);
    if (!content) return 0;
    if (content->whole_bytes > size) std::abort();
    for (const lab::GameRecord& game : content->games) {
        const auto again = lab::parse_json_line(lab::to_json_line(game));
        if (!again || *again != game) std::abort();
    }
    return 0;
}
