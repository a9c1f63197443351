// Exponents by the C library: files are read and written once.
#include "solis/nn/io/half.h"

#include <algorithm>
#include <cmath>

namespace solis::nn {
namespace {

constexpr int kMantissaBits = 10;
constexpr int kLargestExponent = 31;  // of infinity and NaN
constexpr int kBias = 15;
constexpr std::uint16_t kInfinity = kLargestExponent << kMantissaBits;
constexpr std::uint16_t kNan = kInfinity | 512;
constexpr std::uint16_t kSign = 0x8000;

}  // namespace

float float_of_half(std::uint16_t bits) {
    const int exponent = (bits >> kMantissaBits) & kLargestExponent;
    const int mantissa = bits & 1023;
    float magnitude = 0;
    if (exponent == kLargestExponent) {
        magnitude = mantissa == 0 ? INFINITY : NAN;
    } else if (exponent == 0) {
        magnitude = std::ldexp(static_cast<float>(mantissa), -24);
    } else {
        magnitude = std::ldexp(static_cast<float>(mantissa + 1024), exponent - 25);
    }
    return (bits & kSign) != 0 ? -magnitude : magnitude;
}

std::uint16_t half_of_float(float value) {
    const std::uint16_t sign = std::signbit(value) ? kSign : std::uint16_t{0};
    if (std::isnan(value)) return kNan;
    if (std::isinf(value)) return sign | kInfinity;
    if (value == 0) return sign;
    if (std::abs(value) > 65520) return sign | kInfinity;
    // Subnormal values have the exponent of the smallest normal ones.
    const int exponent = std::max(std::ilogb(value), 1 - kBias);
    const float steps = std::nearbyint(std::ldexp(std::abs(value), kMantissaBits - exponent));
    // Normal values have 1,024 steps or more, whose leading one counts in the exponent; those that
    // round up to the next power of two carry into it.
    const int bits = ((exponent + kBias - 1) << kMantissaBits) + static_cast<int>(steps);
    return sign | static_cast<std::uint16_t>(bits);
}

}  // namespace solis::nn
