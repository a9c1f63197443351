// Polyglot books for tests, written byte by byte.
#pragma once
#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

namespace solis::chess {

struct PolyglotEntry {
    std::uint64_t key;
    std::uint16_t move;
    std::uint16_t weight;
};

// Squares a1 = 0 ... h8 = 63, promotion 1-4 = knight ... queen.
inline std::uint16_t polyglot_move(int from, int to, int promotion = 0) {
    return static_cast<std::uint16_t>(promotion << 12 | from << 6 | to);
}

// Entries have the learn value 7.
inline std::string polyglot_bytes(std::vector<PolyglotEntry> entries, bool sorted = true) {
    if (sorted) {
        std::stable_sort(entries.begin(), entries.end(),
                         [](const auto& a, const auto& b) { return a.key < b.key; });
    }
    std::string bytes;
    const auto put = [&](std::uint64_t value, int size) {
        for (int i = size - 1; i >= 0; --i) bytes += static_cast<char>(value >> (8 * i) & 0xFF);
    };
    for (const PolyglotEntry& entry : entries) {
        put(entry.key, 8);
        put(entry.move, 2);
        put(entry.weight, 2);
        put(7, 4);
    }
    return bytes;
}

}  // namespace solis::chess
