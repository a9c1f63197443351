// Letters of ASCII, and text of unknown origin made fit for a message or a page.
#pragma once
#include <span>
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

// For the text and the attributes of XML and HTML. Control characters, which XML does not allow,
// are left out; line ends and tabs stay.
[[nodiscard]] std::string escape_xml(std::string_view text);

// The name that `word` is most likely meant to be: letters left out, added, changed or swapped are
// one mistake each, and a third of the word may be wrong. Empty where nothing is near.
[[nodiscard]] std::string nearest(std::string_view word, std::span<const std::string> names);

}  // namespace solis
