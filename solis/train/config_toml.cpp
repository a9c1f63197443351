// The training configuration as TOML, including that of older versions.
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "solis/train/config_fields.h"
#include "solis/train/config_lines.h"

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
    const auto ascii = config_in_ascii(text);
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
