// Rounding by the C library, because files are written once.
#include "solis/nn/io/half.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace solis::nn {
namespace {

constexpr int kMantissaBits = 10;
constexpr int kLargestExponent = 31;  // of infinity and NaN
constexpr int kBias = 15;
constexpr int kFloatMantissaBits = 23, kFloatBias = 127;
constexpr std::uint16_t kInfinity = kLargestExponent << kMantissaBits;
constexpr std::uint16_t kNan = kInfinity | 512;
constexpr std::uint16_t kSign = 0x8000;

}  // namespace

// By its bits: the weights of a model are read at every start.
float float_of_half(std::uint16_t bits) {
    const std::uint32_t sign = static_cast<std::uint32_t>(bits & kSign) << 16;
    const std::uint32_t exponent = (bits >> kMantissaBits) & kLargestExponent;
    const std::uint32_t mantissa = bits & 1023;
    if (exponent == 0) {
        const float magnitude = static_cast<float>(mantissa) * 0x1p-24f;
        return sign != 0 ? -magnitude : magnitude;
    }
    const std::uint32_t own_exponent =
        exponent == kLargestExponent ? 255 : exponent + kFloatBias - kBias;
    return std::bit_cast<float>(sign | own_exponent << kFloatMantissaBits |
                                mantissa << (kFloatMantissaBits - kMantissaBits));
}

std::uint16_t half_of_float(float value) {
    const std::uint16_t sign = std::signbit(value) ? kSign : std::uint16_t{0};
    if (std::isnan(value)) return kNan;
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
