// Arrays of text in .npy files: numpy's '<U', fixed-length UTF-32.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "solis/base/result.h"

namespace solis::nn {

// numpy's type of these strings, as wide as the longest: "<U71". At least "<U1".
[[nodiscard]] std::string text_descr(const std::vector<std::string>& strings);
// Their data: code points, each string filled up with zeros. What is not valid UTF-8 is read as
// Latin-1.
[[nodiscard]] std::string encode_text(const std::vector<std::string>& strings);
// The inverse, for a type that starts with "<U". Zeros at the end of a string are no part of it.
// Refuses types without a width, data of another size than `count` strings have, and what is no
// code point.
[[nodiscard]] Result<std::vector<std::string>> decode_text(std::string_view descr,
                                                           std::size_t count,
                                                           std::string_view data);

}  // namespace solis::nn
