// Open addressing with linear probing; the size is a power of two.
#include "solis/data/store/key_filter.h"

#include <algorithm>
#include <bit>

namespace solis::data {

KeyFilter::KeyFilter(std::uint64_t expected, std::uint64_t max_bytes) {
    constexpr std::uint64_t kSmallest = 1024;
    const std::uint64_t wanted = std::bit_ceil(std::max(kSmallest, expected + expected / 3));
    const std::uint64_t affordable = std::bit_floor(std::max(kSmallest, max_bytes / 4));
    slots_.resize(std::min(wanted, affordable));
    limit_ = slots_.size() / 10 * 9;
}

bool KeyFilter::insert(std::uint64_t key) {
    const std::uint64_t mask = slots_.size() - 1;
    const auto fingerprint = std::max<std::uint32_t>(1, static_cast<std::uint32_t>(key >> 32));
    std::uint64_t at = (key * 0x9E3779B97F4A7C15ULL >> 20) & mask;
    for (; slots_[at] != 0; at = (at + 1) & mask) {
        if (slots_[at] == fingerprint) return false;
    }
    if (is_full()) return true;
    slots_[at] = fingerprint;
    ++used_;
    return true;
}

}  // namespace solis::data
