// Text of unknown encoding made UTF-8.
#pragma once
#include <string>
#include <string_view>

namespace solis {

// No overlong forms, surrogates or values beyond U+10FFFF.
[[nodiscard]] bool is_valid_utf8(std::string_view text);
// Appends `bytes` as they are where they are valid UTF-8, otherwise read as Latin-1.
void append_as_utf8(std::string& text, std::string_view bytes);

}  // namespace solis
