// Reading with a limit on depth.
#include "solis/lab/shallow_json.h"

#include <nlohmann/json.hpp>

namespace solis::lab {

nlohmann::ordered_json parse_shallow_json(std::string_view text) {
    using ParsedJson = nlohmann::ordered_json;
    constexpr int kDeepest = 64;
    bool too_deep = false;
    // What is nested too deep is never stored.
    auto json = ParsedJson::parse(
        text,
        [&](int depth, ParsedJson::parse_event_t, ParsedJson&) {
            too_deep = too_deep || depth > kDeepest;
            return !too_deep;
        },
        false);
    return too_deep ? ParsedJson(ParsedJson::value_t::discarded) : json;
}

}  // namespace solis::lab
