// A training config as text that the TOML library can take, whatever it was.
#pragma once
#include <string>
#include <string_view>

#include "solis/base/result.h"

namespace solis::train {

// The library behaves undefined on headers of tables such as "[[[", on brackets that close what was
// never opened inside lists, and wherever it looks for blanks and meets a letter beyond ASCII, in
// places that it takes for quoted or not in its own way; broken dates make it abort. A config has
// no use for most of it, which does not get that far, and of letters the library sees escapes only.
//
// Lines keep their numbers and lose their comments. The error names the line.
[[nodiscard]] Result<std::string> config_in_ascii(std::string_view text);

}  // namespace solis::train
