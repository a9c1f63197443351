// JSON of requests and answers.
#include "solis/studio/api/json.h"

#include <fmt/format.h>

#include "solis/base/text.h"

namespace solis::studio {
namespace {

constexpr int kMostLevels = 32;

}  // namespace

tl::unexpected<ApiError> refuse(int status, std::string message, std::string hint,
                                std::string field) {
    return tl::unexpected<ApiError>(
        ApiError{status, std::move(message), std::move(hint), std::move(field)});
}

tl::unexpected<ApiError> refuse(const Error& error, std::string field) {
    return refuse(422, error.message, error.hint, std::move(field));
}

Json error_json(const ApiError& error) {
    Json inner{{"message", error.message}};
    if (!error.hint.empty()) inner["hint"] = error.hint;
    if (!error.field.empty()) inner["field"] = error.field;
    return {{"error", std::move(inner)}};
}

std::string json_text(const Json& value) {
    return value.dump(-1, ' ', false, Json::error_handler_t::replace);
}

HttpResponse json_response(const Json& value, int status) {
    HttpResponse response;
    response.status = status;
    response.body = json_text(value) + "\n";
    return response;
}

HttpResponse error_response(const ApiError& error) {
    return json_response(error_json(error), error.status);
}

Answer<Json> parse_api_body(std::string_view body) {
    bool too_deep = false;
    const auto watch_depth = [&too_deep](int depth, Json::parse_event_t, const Json&) {
        too_deep = too_deep || depth > kMostLevels;
        return !too_deep;
    };
    try {
        Json value = Json::parse(body, watch_depth);
        if (too_deep) return refuse(400, "the body is nested too deeply");
        if (!value.is_object()) return refuse(400, "the body is no JSON object");
        return value;
    } catch (const Json::exception& error) {
        // The library's text begins with its own name and number in brackets.
        const std::string_view text = error.what();
        const std::size_t end = text.find("] ");
        const std::string_view reason = end == std::string_view::npos ? text : text.substr(end + 2);
        return refuse(400, "the body is no JSON: " + printable(reason, 200));
    }
}

Fields::Fields(const Json& object, std::string path) : object_(object), path_(std::move(path)) {}

bool Fields::has(std::string_view name) const {
    const auto found = object_.find(std::string(name));
    return found != object_.end() && !found->is_null();
}

std::string Fields::path_of(std::string_view name) const {
    return path_.empty() ? std::string(name) : fmt::format("{}.{}", path_, name);
}

const Json* Fields::find(std::string_view name) {
    known_.emplace(name);
    const auto found = object_.find(std::string(name));
    // null is the same as leaving the field out.
    return found == object_.end() || found->is_null() || error_ ? nullptr : &*found;
}

void Fields::refuse(ApiError error) {
    if (!error_) error_ = std::move(error);
}

void Fields::wrong_type(std::string_view name, std::string_view wanted) {
    refuse({422, fmt::format("'{}' is not {}", path_of(name), wanted), {}, path_of(name)});
}

std::string Fields::text(std::string_view name, std::string fallback, std::size_t most_bytes) {
    const Json* value = find(name);
    if (value == nullptr) return fallback;
    if (!value->is_string()) {
        wrong_type(name, "text");
        return fallback;
    }
    const auto& text = value->get_ref<const std::string&>();
    if (text.size() > most_bytes) {
        wrong_type(name, fmt::format("at most {} bytes long", most_bytes));
        return fallback;
    }
    return text;
}

bool Fields::flag(std::string_view name, bool fallback) {
    const Json* value = find(name);
    if (value == nullptr) return fallback;
    if (value->is_boolean()) return value->get<bool>();
    wrong_type(name, "true or false");
    return fallback;
}

std::optional<std::int64_t> Fields::whole(std::string_view name, std::int64_t low,
                                          std::int64_t high) {
    const Json* value = find(name);
    if (value == nullptr) return std::nullopt;
    // Unsigned numbers beyond the signed ones are too large for everything here.
    const bool fits = value->is_number_integer() &&
                      !(value->is_number_unsigned() && value->get<std::uint64_t>() >> 63 != 0);
    if (fits && value->get<std::int64_t>() >= low && value->get<std::int64_t>() <= high) {
        return value->get<std::int64_t>();
    }
    wrong_type(name, fmt::format("a whole number from {} to {}", low, high));
    return std::nullopt;
}

std::vector<std::string> Fields::texts(std::string_view name, std::size_t most,
                                       std::size_t most_bytes) {
    const Json* value = find(name);
    if (value == nullptr) return {};
    if (!value->is_array() || value->size() > most) {
        wrong_type(name, fmt::format("a list of at most {} texts", most));
        return {};
    }
    std::vector<std::string> texts;
    for (const Json& item : *value) {
        if (!item.is_string() || item.get_ref<const std::string&>().size() > most_bytes) {
            wrong_type(fmt::format("{}[{}]", name, texts.size()),
                       fmt::format("text of at most {} bytes", most_bytes));
            return {};
        }
        texts.push_back(item.get<std::string>());
    }
    return texts;
}

std::vector<std::int64_t> Fields::wholes(std::string_view name, std::size_t most, std::int64_t low,
                                         std::int64_t high) {
    const Json* value = find(name);
    if (value == nullptr) return {};
    if (!value->is_array() || value->size() > most) {
        wrong_type(name, fmt::format("a list of at most {} numbers", most));
        return {};
    }
    std::vector<std::int64_t> numbers;
    for (const Json& item : *value) {
        if (!item.is_number_integer() || item.get<std::int64_t>() < low ||
            item.get<std::int64_t>() > high) {
            wrong_type(fmt::format("{}[{}]", name, numbers.size()),
                       fmt::format("a whole number from {} to {}", low, high));
            return {};
        }
        numbers.push_back(item.get<std::int64_t>());
    }
    return numbers;
}

const Json* Fields::object(std::string_view name) {
    const Json* value = find(name);
    if (value == nullptr || value->is_object()) return value;
    wrong_type(name, "an object");
    return nullptr;
}

std::optional<ApiError> Fields::finish() {
    if (error_) return error_;
    for (const auto& [name, value] : object_.items()) {
        if (known_.contains(name)) continue;
        const std::vector<std::string> names(known_.begin(), known_.end());
        const std::string meant = nearest(name, names);
        error_ = ApiError{422, fmt::format("there is no field {}", in_quotes(path_of(name))),
                          meant.empty() ? "" : fmt::format("did you mean '{}'?", meant),
                          printable(path_of(name), 100)};
        return error_;
    }
    return std::nullopt;
}

}  // namespace solis::studio
