// Any text is refused as a sequential test or makes one whose ratio is finite.
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "solis/lab/rating/sprt.h"

namespace lab = solis::lab;

int sprt_fuzz(const std::uint8_t* bytes, std::size_t size) {
    if (size < 5) return 0;
    // The first bytes are counts of pairs, the rest is text.
    std::array<std::uint64_t, 5> pairs{};
    for (std::size_t i = 0; i < pairs.size(); ++i) pairs[i] = std::uint64_t{1} << (bytes[i] % 32);
    pairs[bytes[0] % 5] = 0;
    const std::string_view text(reinterpret_cast<const char*>(bytes) + 5, size - 5);
    const auto test = lab::parse_sprt(text);
    if (!test) return 0;
    if (!lab::check_sprt(*test)) std::abort();
    const double ratio = lab::log_likelihood_ratio(*test, lab::count_of_pairs(pairs));
    if (!std::isfinite(ratio)) std::abort();
    return 0;
}
