// Text for messages and pages.
#include "solis/base/text.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

namespace solis {
namespace {

// Damerau-Levenshtein distance with adjacent swaps ("optimal string alignment").
std::size_t mistakes_between(std::string_view a, std::string_view b) {
    const std::size_t width = b.size() + 1;
    std::vector<std::size_t> table((a.size() + 1) * width);
    for (std::size_t i = 0; i <= a.size(); ++i) table[i * width] = i;
    for (std::size_t j = 0; j <= b.size(); ++j) table[j] = j;
    for (std::size_t i = 1; i <= a.size(); ++i) {
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const auto at = [&](std::size_t up, std::size_t left) {
                return table[(i - up) * width + j - left];
            };
            std::size_t least = std::min(at(1, 0), at(0, 1)) + 1;
            least = std::min(least, at(1, 1) + (a[i - 1] == b[j - 1] ? 0 : 1));
            const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
            if (swapped) least = std::min(least, at(2, 2) + 1);
            table[i * width + j] = least;
        }
    }
    return table.back();
}

}  // namespace

std::string printable(std::string_view text, std::size_t most) {
    std::string shown;
    for (const char c : text.substr(0, most)) shown += c >= 0x20 && c < 0x7F ? c : '?';
    return text.size() > most ? shown + "..." : shown;
}

std::string in_quotes(std::string_view text) { return fmt::format("'{}'", printable(text, 100)); }

std::string escape_xml(std::string_view text) {
    std::string safe;
    for (const char c : text) {
        if (c == '&') {
            safe += "&amp;";
        } else if (c == '<') {
            safe += "&lt;";
        } else if (c == '>') {
            safe += "&gt;";
        } else if (c == '"') {
            safe += "&quot;";
        } else if (static_cast<unsigned char>(c) >= 0x20 || c == '\n' || c == '\t') {
            safe += c;
        }
    }
    return safe;
}

std::string nearest(std::string_view word, std::span<const std::string> names) {
    constexpr std::size_t kLongest = 64;  // more is no name, and the table grows with the square
    std::string best;
    std::size_t fewest = std::max<std::size_t>(1, word.size() / 3) + 1;
    if (word.size() > kLongest) return best;
    for (const std::string& name : names) {
        const std::size_t mistakes = mistakes_between(word, name);
        if (mistakes >= fewest) continue;
        fewest = mistakes;
        best = name;
    }
    if (!best.empty()) return best;
    // "import-tensors" for "import", or "anal" for "analyze".
    const auto begins = [&](const std::string& name) {
        return word.size() >= 3 && (name.starts_with(word) || word.starts_with(name));
    };
    const auto prefix = std::find_if(names.begin(), names.end(), begins);
    return prefix == names.end() ? best : *prefix;
}

}  // namespace solis
