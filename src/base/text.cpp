// Text for messages.
#include "base/text.h"

namespace solis {

std::string quoted(std::string_view text) {
    constexpr std::size_t kMost = 100;
    std::string shown = "'";
    for (const char c : text.substr(0, kMost)) {
        const bool printable = c >= 0x20 && c < 0x7F;
        shown += printable ? c : '?';
    }
    return shown + (text.size() > kMost ? "...'" : "'");
}

}  // namespace solis
