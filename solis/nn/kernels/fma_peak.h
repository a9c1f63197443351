// How fast this machine can multiply and add at all: the yardstick for training speed.
#pragma once
#include <cstddef>
#include <cstdint>

namespace solis::nn {

// Does `rounds` rounds of fused multiply-adds that never leave the registers, on the calling
// thread. Returns the floating-point operations done, two per multiply-add.
[[nodiscard]] std::uint64_t run_fma_loop(std::size_t rounds);

// Long enough to be timed: some hundredths of a second.
inline constexpr std::size_t kFmaRounds = 2'000'000;

}  // namespace solis::nn
