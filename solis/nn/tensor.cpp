// Sizes of tensors that come from files.
#include "solis/nn/tensor.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace solis::nn {

std::optional<std::size_t> element_count(std::span<const std::size_t> shape) {
    std::size_t count = 1;
    for (const std::size_t size : shape) {
        if (__builtin_mul_overflow(count, size, &count)) return std::nullopt;
    }
    return count;
}

std::string shape_text(std::span<const std::size_t> shape) {
    return fmt::format("[{}]", fmt::join(shape, ", "));
}

}  // namespace solis::nn
