// Any text either is refused or parses to a record that survives a round trip.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "solis/chess/epd.h"

namespace chess = solis::chess;

int epd_fuzz(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    const auto record = chess::parse_epd(text);
    if (!record) return 0;
    const std::string written = chess::to_epd(*record);
    const auto again = chess::parse_epd(written);
    if (!again || !(again->position == record->position)) std::abort();
    if (again->operations.size() != record->operations.size()) std::abort();
    // Control characters may be replaced once; from then on nothing changes.
    if (chess::to_epd(*again) != written) std::abort();
    for (const chess::EpdOperation& operation : record->operations) {
        (void)chess::epd_moves(*record, operation.opcode);
    }
    return 0;
}
