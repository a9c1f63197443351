// "key=value,key=value": how options of options are written on the command line.
#pragma once
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "solis/base/result.h"

namespace solis::lab {

using KeyValues = std::vector<std::pair<std::string, std::string>>;

// In the order given. A value in double quotes may contain commas; a quote anywhere else is an
// error. An item without '=' is a key with an empty value; an item without a key is an error.
[[nodiscard]] Result<KeyValues> parse_key_values(std::string_view text);

// A value without double quotes as parse_key_values reads it, quoted where it has to be.
[[nodiscard]] std::string quoted_value(std::string_view value);

}  // namespace solis::lab
