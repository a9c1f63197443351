// Lines of a config: only what a config needs gets through.
#include "solis/train/config_lines.h"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

#include "solis/base/utf8.h"

namespace solis::train {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

// Whether what comes before a word or a bracket ends in one of `signs`, blanks apart, or is
// nothing.
bool ends_in(std::string_view before, std::string_view signs) {
    const std::size_t last = before.find_last_not_of(" \t\r");
    return last == std::string_view::npos || signs.find(before[last]) != std::string_view::npos;
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_word_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c) || c == '_' ||
           c == '.' || c == '+' || c == '-';
}

// A number, a key, or true and false. No dates and times, which are of no use in a config.
bool is_wanted_word(std::string_view word) {
    if (word.starts_with('+') || word.starts_with('-')) word.remove_prefix(1);
    if (word.empty()) return false;
    if (!is_digit(word[0])) return word.find_first_of(".+-") == std::string_view::npos;
    std::string plain(word);
    std::erase(plain, '_');
    double number = 0;
    const char* const end = plain.data() + plain.size();
    return std::from_chars(plain.data(), end, number).ptr == end;
}

bool is_ascii(char c) { return static_cast<unsigned char>(c) < 0x80; }

// Appends the letter of several bytes that begins `text`, which is valid UTF-8, as an escape.
// Returns its length.
std::size_t append_escape(std::string_view text, std::string& to) {
    const auto first = static_cast<unsigned char>(text[0]);
    const std::size_t length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
    unsigned letter = first & (0xFFu >> (length + 1));
    for (const char c : text.substr(1, length - 1)) {
        letter = letter << 6 | (static_cast<unsigned char>(c) & 0x3Fu);
    }
    to += fmt::format("\\U{:08X}", letter);
    return length;
}

// Appends a line without its comment, and with letters beyond ASCII as escapes. Otherwise tells
// what it has that no config needs.
std::string_view append_ascii(std::string_view row, std::string& to) {
    if (row.find("\"\"\"") != row.npos || row.find("'''") != row.npos) {
        return "a text stands on one line";
    }
    if (!is_valid_utf8(row)) return "the line is not UTF-8";
    char quote = 0;  // that ends the string we are in
    int lists = 0;
    for (std::size_t i = 0; i < row.size(); ++i) {
        const char c = row[i];
        if (!is_ascii(c)) {
            if (quote != '"') return "letters beyond ASCII stand in double quotes only";
            i += append_escape(row.substr(i), to) - 1;
            continue;
        }
        if (quote == 0 && c == '#') break;
        if (static_cast<unsigned char>(c) < 0x20 && c != '\t' && c != '\r') {
            return "a control character stands in the line";
        }
        to += c;
        if (quote != 0) {
            if (c == quote) quote = 0;
            if (c != '\\' || quote != '"' || i + 1 == row.size()) continue;
            if (!is_ascii(row[i + 1])) return "a backslash stands before a letter beyond ASCII";
            to += row[++i];
        } else if (c == '"' || c == '\'') {
            const char before = i == 0 ? ' ' : row[i - 1];
            if (std::string_view(" \t=[,").find(before) == std::string_view::npos) {
                return "a quote stands inside a word";
            }
            quote = c;
        } else if (c == '{' || c == '}' || (c == '[' && ++lists > 1)) {
            return "a config has no tables and no lists of lists";
        } else if (c == '[') {
            if (!ends_in(row.substr(0, i), "=")) return "a list stands after '='";
        } else if (is_word_letter(c)) {
            if (!ends_in(row.substr(0, i), "=[,")) return "two words stand side by side";
            const std::string_view rest = row.substr(i);
            const auto end = std::find_if_not(rest.begin(), rest.end(), is_word_letter);
            const std::string_view word(rest.begin(), end);
            if (!is_wanted_word(word)) return "a word is neither a key nor a number";
            to += word.substr(1);
            i += word.size() - 1;
        } else if (std::string_view(" \t\r=],").find(c) == std::string_view::npos) {
            return "a sign stands outside quotes that no config needs";
        }
    }
    return quote == 0 ? std::string_view() : "a text is not closed";
}

}  // namespace

Result<std::string> config_in_ascii(std::string_view text) {
    if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
    std::string ascii;
    for (std::size_t line = 1; !text.empty(); ++line) {
        const std::string_view row = text.substr(0, text.find('\n'));
        text.remove_prefix(std::min(text.size(), row.size() + 1));
        if (const std::string_view why = append_ascii(row, ascii); !why.empty()) {
            return fail(fmt::format("config, line {}: {}", line, why));
        }
        const std::size_t start = row.find_first_not_of(" \t\r\v\f");
        if (start != std::string_view::npos && row[start] == '[') {
            return fail(fmt::format("config, line {}: a config has no tables", line),
                        "write key = value; lists begin on the line of their key");
        }
        ascii += '\n';
    }
    return ascii;
}

}  // namespace solis::train
