// xoshiro256** generator.
#include "solis/base/rng.h"

#include <bit>

namespace solis {
namespace {

std::uint64_t splitmix64(std::uint64_t& state) {
    std::uint64_t z = (state += 0x9E3779B97F4A7C15u);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

}  // namespace

Rng::Rng(Seed seed) : state_{} {
    std::uint64_t mix = seed.value;
    for (std::uint64_t& word : state_) word = splitmix64(mix);
}

std::uint64_t Rng::next() {
    const std::uint64_t result = std::rotl(state_[1] * 5, 7) * 9;
    const std::uint64_t shifted = state_[1] << 17;
    state_[2] ^= state_[0];
    state_[3] ^= state_[1];
    state_[1] ^= state_[2];
    state_[0] ^= state_[3];
    state_[2] ^= shifted;
    state_[3] = std::rotl(state_[3], 45);
    return result;
}

std::uint64_t Rng::below(std::uint64_t bound) {
    // Values under `bias` would make the low remainders more likely; draw again.
    const std::uint64_t bias = (0 - bound) % bound;
    std::uint64_t value = next();
    while (value < bias) value = next();
    return value % bound;
}

double Rng::unit() { return static_cast<double>(next() >> 11) * 0x1.0p-53; }

}  // namespace solis
