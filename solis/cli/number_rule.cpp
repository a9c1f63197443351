// Numbers on the command line.
#include "solis/cli/number_rule.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdlib>

#include <fmt/format.h>

#include "solis/base/text.h"

namespace solis::cli {
namespace {

bool is_whole_number(std::string_view text) {
    if (text.starts_with('-') || text.starts_with('+')) text.remove_prefix(1);
    return !text.empty() && std::all_of(text.begin(), text.end(), is_digit);
}

template <class T>
bool fits(std::string_view text) {
    if (text.starts_with('+')) text.remove_prefix(1);
    T value{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc{} && end == text.data() + text.size();
}

bool fits_type(std::string_view text, NumberRule::Kind kind) {
    switch (kind) {
        case NumberRule::Kind::Int32:
            return fits<std::int32_t>(text);
        case NumberRule::Kind::Int64:
            return fits<std::int64_t>(text);
        case NumberRule::Kind::Unsigned64:
            return fits<std::uint64_t>(text);
        case NumberRule::Kind::Real:
            break;
    }
    return true;
}

// `value` is the one that is refused.
std::string allowed_range(const NumberRule& rule, double value) {
    double low = rule.low, high = rule.high;
    if (rule.kind == NumberRule::Kind::Unsigned64) low = std::max(low, 0.0);
    if (rule.kind == NumberRule::Kind::Int32) {
        high = std::min(high, double{std::numeric_limits<std::int32_t>::max()});
    } else if (rule.kind == NumberRule::Kind::Int64) {
        high = std::min(high, static_cast<double>(std::numeric_limits<std::int64_t>::max()));
    } else if (rule.kind == NumberRule::Kind::Unsigned64) {
        high = std::min(high, static_cast<double>(std::numeric_limits<std::uint64_t>::max()));
    }
    const bool is_whole = rule.kind != NumberRule::Kind::Real;
    std::string from = readable_number(low);
    if (rule.above_zero) from = is_whole ? "1" : "more than 0";
    if (std::isinf(high))
        return rule.above_zero && !is_whole ? from : fmt::format("{} or more", from);
    // The limits of 64 bits are no round numbers.
    if (high > 1e15) return value > 0 ? "at most 18 digits" : fmt::format("{} or more", from);
    if (std::isinf(low) && !rule.above_zero)
        return fmt::format("at most {}", readable_number(high));
    return fmt::format("{} to {}", from, readable_number(high));
}

}  // namespace

std::string readable_number(double value) {
    if (value != std::trunc(value) || std::abs(value) > 1e15) return fmt::format("{}", value);
    std::string digits = fmt::format("{:.0f}", std::abs(value));
    if (digits.size() >= 5) {
        for (std::size_t at = digits.size(); at > 3;) digits.insert(at -= 3, ",");
    }
    return value < 0 ? "-" + digits : digits;
}

std::string NumberRule::objection(const std::string& text) const {
    const bool is_whole = kind != Kind::Real;
    char* end = nullptr;
    const double value = std::strtod(text.c_str(), &end);
    const bool is_number = !text.empty() && end == text.c_str() + text.size() && !std::isnan(value);
    if (is_whole ? !is_whole_number(text) : !is_number) {
        return fmt::format("{} is not a {}", in_quotes(text), is_whole ? "whole number" : "number");
    }
    const bool inside = value >= low && value <= high && !(above_zero && value <= 0);
    if (inside && std::isfinite(value) && fits_type(text, kind)) return {};
    return fmt::format("{} is out of range: {}", printable(text, 40), allowed_range(*this, value));
}

std::string NumberRule::type_name() const {
    std::string name = kind == Kind::Real ? "FLOAT" : kind == Kind::Unsigned64 ? "UINT" : "INT";
    if (above_zero) return name + ":POSITIVE";
    if (std::isinf(low) || std::isinf(high)) return name;
    const auto plain = [](double value) {
        return value == std::trunc(value) ? fmt::format("{:.0f}", value) : fmt::format("{}", value);
    };
    return fmt::format("{}:{}..{}", name, plain(low), plain(high));
}

}  // namespace solis::cli
