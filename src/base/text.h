// Text of unknown origin, made fit for a message.
#pragma once
#include <string>
#include <string_view>

namespace solis {

// In single quotes, at most 100 characters, everything unprintable as '?': long enough to recognise
// the input, short enough for one line of an error message.
[[nodiscard]] std::string quoted(std::string_view text);

}  // namespace solis
