// JSON from files that may be hostile.
#pragma once
#include <string_view>

#include <nlohmann/json_fwd.hpp>

namespace solis::lab {

// Discarded (`is_discarded()`) where the text is no JSON, or nested deeper than anything of ours:
// comparing and writing a value recurses, and a line of brackets would overflow the stack.
[[nodiscard]] nlohmann::ordered_json parse_shallow_json(std::string_view text);

}  // namespace solis::lab
