// How near points on the map are taken to be: similarity 1 / (1 + a d^(2b)) at distance d, and the
// forces that follow from it.
#pragma once
#include <array>
#include <bit>
#include <cstdint>

namespace solis::atlas {

struct Curve {
    double a = 0;
    double b = 0;
};

// The curve nearest (least squares, 300 distances up to 3 * spread) to 1 up to min_dist and
// exp(-(d - min_dist) / spread) beyond.
[[nodiscard]] Curve fit_curve(double min_dist, double spread);

// Factors of the difference between two points by which one of them moves, as functions of the
// squared distance: looked up and interpolated linearly, 64 steps per power of two (error below
// 1e-4). Powers would cost ten times as much, and would not be the same on every machine.
class Forces {
  public:
    explicit Forces(const Curve& curve);

    // Negative: towards the other. 0 at distance 0.
    [[nodiscard]] float attraction(float squared) const { return look_up(attraction_, squared); }
    // Positive: away from the other.
    [[nodiscard]] float repulsion(float squared) const { return look_up(repulsion_, squared); }

  private:
    static constexpr int kSteps = 64;
    static constexpr int kLowest = -40, kHighest = 24;  // powers of two of the squared distance
    struct Step {
        float value;
        float slope;  // to the next, per part of the step
    };
    using Table = std::array<Step, (kHighest - kLowest) * kSteps>;

    // The exponent and the upper bits of the mantissa of a float are the number of its step.
    [[nodiscard]] static float look_up(const Table& table, float squared) {
        constexpr std::uint32_t kFirst = static_cast<std::uint32_t>(127 + kLowest) << 23;
        constexpr std::uint32_t kEnd = static_cast<std::uint32_t>(127 + kHighest) << 23;
        std::uint32_t bits = std::bit_cast<std::uint32_t>(squared);
        if (bits < kFirst) return squared == 0 ? 0 : table[0].value;
        if (bits >= kEnd) bits = kEnd - 1;
        bits -= kFirst;
        const Step step = table[bits >> 17];
        return step.value + step.slope * static_cast<float>(bits & 0x1FFFF);
    }

    Table attraction_;
    Table repulsion_;
};

}  // namespace solis::atlas
