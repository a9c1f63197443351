// Text for messages.
#include "solis/base/text.h"

#include <fmt/format.h>

namespace solis {

std::string printable(std::string_view text, std::size_t most) {
    std::string shown;
    for (const char c : text.substr(0, most)) shown += c >= 0x20 && c < 0x7F ? c : '?';
    return text.size() > most ? shown + "..." : shown;
}

std::string in_quotes(std::string_view text) { return fmt::format("'{}'", printable(text, 100)); }

}  // namespace solis
