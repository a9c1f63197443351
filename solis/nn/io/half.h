// 16-bit floats (IEEE 754 binary16) <-> float.
#pragma once
#include <cstdint>

namespace solis::nn {

[[nodiscard]] float float_of_half(std::uint16_t bits);
// The nearest one, of two equally near ones the even one; infinity where a value is too large.
[[nodiscard]] std::uint16_t half_of_float(float value);

}  // namespace solis::nn
