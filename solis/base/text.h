// Letters of ASCII, and text of unknown origin made fit for a message.
#pragma once
#include <string>
#include <string_view>

namespace solis {

// Of ASCII, whatever the locale.
[[nodiscard]] constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
[[nodiscard]] constexpr bool is_letter(char c) {
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
}

// The first `most` characters, everything unprintable as '?'; "..." stands for the rest.
[[nodiscard]] std::string printable(std::string_view text, std::size_t most);
// The same in single quotes, at most 100 characters: long enough to recognise the input, short
// enough for one line of an error message.
[[nodiscard]] std::string in_quotes(std::string_view text);

}  // namespace solis
