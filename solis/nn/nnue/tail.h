// The few numbers at the end of the NNUE net, in plain loops that kernels and reference share.
#pragma once
#include <algorithm>
#include <array>
#include <cstdint>

#include "solis/nn/nnue/net.h"

namespace solis::nn {

// Squares and clamped values of the first 15 outputs of the first layer; the last two are 0.
using NnueTailInput = std::array<std::uint8_t, 32>;

inline void fill_nnue_tail(const std::array<std::int32_t, kNnueHidden>& y, NnueTailInput& tail) {
    constexpr std::size_t kUsed = kNnueHidden - 1;
    tail.fill(0);
    for (std::size_t j = 0; j < kUsed; ++j) {
        const std::int64_t square = static_cast<std::int64_t>(y[j]) * y[j];
        tail[j] = static_cast<std::uint8_t>(std::min<std::int64_t>(127, square >> 19));
        tail[kUsed + j] = static_cast<std::uint8_t>(std::clamp(y[j] >> 6, 0, 127));
    }
}

[[nodiscard]] inline std::int64_t nnue_material(const NnueAccumulator& mover,
                                                const NnueAccumulator& other, std::size_t stack) {
    return (static_cast<std::int64_t>(mover.psqt[stack]) - other.psqt[stack]) / 2;
}

// `hidden`: outputs of the second layer before they are clamped.
[[nodiscard]] inline std::int64_t nnue_positional(
    const NnueStack& layers, const std::array<std::int32_t, kNnueHidden>& y,
    const std::array<std::int32_t, kNnueTail>& hidden) {
    std::int32_t sum = 0;
    for (std::size_t j = 0; j < kNnueTail; ++j) {
        sum += std::clamp(hidden[j] >> 6, 0, 127) * layers.out_weight[j];
    }
    const std::int64_t direct = static_cast<std::int64_t>(y[kNnueHidden - 1]) * 9600 / 8128;
    return static_cast<std::int64_t>(layers.out_bias) + sum + direct;
}

}  // namespace solis::nn
