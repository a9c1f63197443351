// Lists of keys and values.
#include "solis/lab/key_values.h"

#include <algorithm>

#include <fmt/format.h>

#include "solis/base/text.h"

namespace solis::lab {
namespace {

// Takes a value off the front of `rest`, with the comma behind it.
Result<std::string> take_value(std::string_view& rest) {
    std::size_t begin = 0;
    std::size_t end = std::min(rest.find(','), rest.size());
    std::size_t next = end;
    if (rest.starts_with('"')) {
        begin = 1;
        end = rest.find('"', 1);
        if (end == std::string_view::npos) {
            return fail(fmt::format("the quote of {} is not closed", solis::in_quotes(rest)));
        }
        next = end + 1;
        if (next < rest.size() && rest[next] != ',') {
            return fail(fmt::format("text after the closing quote of {}", solis::in_quotes(rest)));
        }
    }
    std::string value(rest.substr(begin, end - begin));
    if (value.find('"') != std::string::npos) {
        return fail(
            fmt::format("{} has a quote that is not around a value", solis::in_quotes(value)));
    }
    rest.remove_prefix(std::min(next + 1, rest.size()));
    return value;
}

}  // namespace

Result<KeyValues> parse_key_values(std::string_view text) {
    KeyValues items;
    for (std::string_view rest = text; !rest.empty();) {
        const std::size_t end = rest.find_first_of("=,");
        const bool has_value = end != std::string_view::npos && rest[end] == '=';
        const std::string key(rest.substr(0, end));
        if (key.find('"') != std::string::npos) {
            return fail(
                fmt::format("{} has a quote that is not around a value", solis::in_quotes(text)),
                "write key=\"value, with comma\"");
        }
        if (key.empty()) {
            return fail(fmt::format("{} has an item without a key", solis::in_quotes(text)),
                        "write key=value,key=value");
        }
        rest.remove_prefix(std::min(key.size() + 1, rest.size()));
        std::string value;
        if (has_value) {
            auto taken = take_value(rest);
            if (!taken) return tl::unexpected(taken.error());
            value = std::move(*taken);
        }
        items.emplace_back(key, std::move(value));
    }
    return items;
}

std::string quoted_value(std::string_view value) {
    const bool plain =
        value.find(',') == std::string_view::npos && !value.starts_with('"') && !value.empty();
    return plain ? std::string(value) : '"' + std::string(value) + '"';
}

}  // namespace solis::lab
