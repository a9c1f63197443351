// Shapes are written in int, memory is counted in std::size_t.
#pragma once
#include <cstddef>

namespace solis::nn {

[[nodiscard]] constexpr std::size_t size(int value) { return static_cast<std::size_t>(value); }

// How many pieces of `each` cover `total`.
[[nodiscard]] constexpr std::size_t ceil_div(std::size_t total, std::size_t each) {
    return (total + each - 1) / each;
}

}  // namespace solis::nn
