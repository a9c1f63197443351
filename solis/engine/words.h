// Words of a line: what both directions of UCI are made of.
#pragma once
#include <charconv>
#include <string_view>

namespace solis::engine {

// Takes the next word off `text`; empty at the end. Any white space separates.
std::string_view next_word(std::string_view& text);
// Without white space at its ends.
[[nodiscard]] std::string_view trimmed(std::string_view text);
// For ASCII letters.
[[nodiscard]] bool same_ignoring_case(std::string_view a, std::string_view b);

// Leaves `value` as it is and returns false where the word is no number, or one that does not fit.
template <class T>
bool read_number(std::string_view word, T& value) {
    if (!word.empty() && word.front() == '+') word.remove_prefix(1);
    T parsed{};
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), parsed);
    if (error != std::errc{} || end != word.data() + word.size()) return false;
    value = parsed;
    return true;
}

}  // namespace solis::engine
