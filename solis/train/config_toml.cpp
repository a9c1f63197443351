// The training configuration as TOML, including that of older versions.
#include <algorithm>
#include <array>
#include <charconv>

#include <fmt/format.h>

#include "solis/base/utf8.h"
#include "solis/train/config_fields.h"

// Header-only, because the packaged library is built with exceptions.
#define TOML_HEADER_ONLY 1
#define TOML_EXCEPTIONS 0
#define TOML_ENABLE_FORMATTERS 0  // nothing is written with it
#include <toml++/toml.h>

namespace solis::train {
namespace {

// A key that older versions had and that no longer means anything. Its value was `off` where it
// asked for nothing.
struct RetiredKey {
    std::string_view key;
    double off;
};
constexpr std::array kRetiredKeys{RetiredKey{"mate_range", 0}};

std::string toml_quoted(std::string_view text) {
    std::string out = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') out += '\\';
        if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) {
            out += fmt::format("\\u{:04X}", static_cast<int>(c));
        } else {
            out += c;
        }
    }
    return out + '"';
}

// What is wrong with the value of a field.
Error wrong_type(std::string_view key) { return {fmt::format("{} has the wrong type", key), {}}; }

// Each sets a field from its TOML node or says why not. Whole numbers are fine for fractions.
Result<void> take(const toml::node& node, std::string_view key, std::vector<std::string>& field) {
    const toml::array* array = node.as_array();
    if (array == nullptr) return tl::unexpected(wrong_type(key));
    std::vector<std::string> values;
    for (const toml::node& item : *array) {
        const auto text = item.value_exact<std::string>();
        if (!text) return tl::unexpected(wrong_type(key));
        values.push_back(*text);
    }
    field = std::move(values);
    return {};
}
Result<void> take(const toml::node& node, std::string_view key, double& field) {
    const auto value = node.is_number() ? node.value<double>() : std::nullopt;
    if (!value) return tl::unexpected(wrong_type(key));
    field = *value;
    return {};
}
template <class T>
Result<void> take(const toml::node& node, std::string_view key, T& field) {
    if constexpr (std::is_enum_v<T>) {
        const auto name = node.value_exact<std::string>();
        if (!name) return tl::unexpected(wrong_type(key));
        const auto choice = choice_from_name<T>(*name);
        if (!choice) return tl::unexpected(unknown_choice<T>(key, *name));
        field = *choice;
    } else {
        const auto value = node.value_exact<T>();
        if (!value) return tl::unexpected(wrong_type(key));
        field = *value;
    }
    return {};
}

tl::unexpected<Error> fail_at(const toml::node& node, const Error& error, std::string_view hint) {
    return fail(fmt::format("config, line {}: {}", node.source().begin.line, error.message),
                error.hint.empty() ? std::string(hint) : error.hint);
}

// The node of a field under its key or under the one it had before.
Result<const toml::node*> find_node(const toml::table& table, std::string_view key,
                                    std::string_view old_key) {
    const toml::node* const node = table.get(key);
    const toml::node* const old = old_key.empty() ? nullptr : table.get(old_key);
    if (node != nullptr && old != nullptr) {
        return fail_at(*old, {fmt::format("'{}' is an older name of '{}'", old_key, key), {}},
                       "keep one of them");
    }
    return node != nullptr ? node : old;
}

bool is_known(std::string_view key) {
    bool known = false;
    const TrainConfig config;
    visit_fields(config,
                 [&](std::string_view name, const auto&, const FieldRule& rule, const char*) {
                     known = known || key == name || (!rule.old_key.empty() && key == rule.old_key);
                 });
    return known;
}

// Fails on keys that never existed.
Result<void> check_other_keys(const toml::table& table, std::vector<std::string>* notes) {
    for (const auto& entry : table) {
        const std::string_view key = entry.first.str();
        if (is_known(key)) continue;
        const auto retired =
            std::find_if(kRetiredKeys.begin(), kRetiredKeys.end(),
                         [&](const RetiredKey& candidate) { return candidate.key == key; });
        if (retired == kRetiredKeys.end()) {
            return fail_at(entry.second, {fmt::format("unknown key '{}'", key), {}},
                           "solis train --print-config lists all keys");
        }
        const auto value = entry.second.value<double>();
        if (notes != nullptr && value != retired->off) {
            notes->push_back(fmt::format("config, line {}: '{}' is no longer used and is left out",
                                         entry.second.source().begin.line, key));
        }
    }
    return {};
}

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

// The library behaves undefined on headers of tables such as "[[[", on brackets that close what was
// never opened inside lists, and wherever it looks for blanks and meets a letter beyond ASCII, in
// places that it takes for quoted or not in its own way; broken dates make it abort. A config has
// no use for most of it, which does not get that far, and of letters the library sees escapes only.
Result<std::string> in_ascii(std::string_view text) {
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

}  // namespace

std::string toml_text(const std::string& value) { return toml_quoted(value); }
std::string toml_text(bool value) { return value ? "true" : "false"; }
std::string toml_text(std::int64_t value) { return std::to_string(value); }
std::string toml_text(double value) {
    // TOML wants a point or an exponent in a float.
    std::string text = fmt::format("{}", value);
    if (text.find_first_of(".eni") == std::string::npos) text += ".0";
    return text;
}
std::string toml_text(const std::vector<std::string>& value) {
    std::string text = "[";
    for (std::size_t i = 0; i < value.size(); ++i)
        text += (i > 0 ? ", " : "") + toml_quoted(value[i]);
    return text + "]";
}

Result<TrainConfig> parse_config(std::string_view text, const TrainConfig& base,
                                 std::vector<std::string>* notes) {
    const auto ascii = in_ascii(text);
    if (!ascii) return tl::unexpected(ascii.error());
    const toml::parse_result parsed = toml::parse(*ascii);
    if (!parsed) {
        return fail(fmt::format("config, line {}: {}", parsed.error().source().begin.line,
                                parsed.error().description()));
    }
    const toml::table& table = parsed.table();
    TrainConfig config = base;
    Result<void> status;
    visit_fields(config, [&](std::string_view key, auto& member, const FieldRule& rule,
                             const char* meaning) {
        if (!status) return;
        const auto node = find_node(table, key, rule.old_key);
        if (!node) {
            status = tl::unexpected(node.error());
        } else if (*node != nullptr) {
            if (const auto taken = take(**node, key, member); !taken) {
                status = fail_at(**node, taken.error(), fmt::format("{}: {}", key, meaning));
            }
        }
    });
    if (table.contains("teacher") && !table.contains("auxiliary_teacher")) read_old_teacher(config);
    if (status) status = check_other_keys(table, notes);
    if (!status) return tl::unexpected(status.error());
    return config;
}

std::string to_toml(const TrainConfig& config) {
    std::string text;
    visit_fields(config, [&](std::string_view key, const auto& member, const FieldRule&,
                             const char* meaning) {
        text += fmt::format("# {}\n{} = {}\n", meaning, key, toml_text(member));
    });
    return text;
}

}  // namespace solis::train
