// Seeded random numbers that are the same on every platform (std::*_distribution is not).
#pragma once
#include <array>
#include <cstdint>

namespace solis {

struct Seed {
    std::uint64_t value;
};

// xoshiro256** by Blackman and Vigna, seeded through splitmix64. Copyable: a copy is a checkpoint.
class Rng {
  public:
    using State = std::array<std::uint64_t, 4>;

    explicit Rng(Seed seed);
    explicit Rng(const State& state) : state_(state) {}

    [[nodiscard]] std::uint64_t next();
    // Uniform in [0, bound), without modulo bias. bound must not be 0.
    [[nodiscard]] std::uint64_t below(std::uint64_t bound);
    // Uniform in [0, 1).
    [[nodiscard]] double unit();
    [[nodiscard]] bool chance(double probability) { return unit() < probability; }

    [[nodiscard]] const State& state() const { return state_; }

  private:
    State state_;
};

}  // namespace solis
