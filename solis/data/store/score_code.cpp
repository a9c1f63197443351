// Score symbols.
#include "solis/data/store/score_code.h"

#include <algorithm>
#include <bit>
#include <cstdlib>

namespace solis::data {
namespace {

// Symbols. Differences start at kFirstDifference: even ones positive, odd ones negative.
constexpr unsigned kNone = 0;
constexpr unsigned kWinningMate = 1;
constexpr unsigned kLosingMate = 2;
constexpr unsigned kNoDifference = 3;
constexpr unsigned kFirstDifference = 4;

// Classes of |difference|: 1, 2, 3, then four of equal width per power of two.
struct MagnitudeClass {
    unsigned number;
    unsigned low_bits;  // how many
};

constexpr MagnitudeClass class_of(unsigned magnitude) {
    if (magnitude < 4) return {magnitude - 1, 0};
    const auto exponent = static_cast<unsigned>(std::bit_width(magnitude)) - 1;
    const unsigned low_bits = exponent - 2;
    return {3 + 4 * low_bits + (magnitude >> low_bits & 3), low_bits};
}

constexpr unsigned low_bits_of(unsigned number) { return number < 3 ? 0 : (number - 3) / 4; }
constexpr unsigned smallest_magnitude(unsigned number) {
    if (number < 3) return number + 1;
    return (4 + (number - 3) % 4) << low_bits_of(number);
}
constexpr unsigned kMagnitudeClasses = class_of(2 * Score::kMaxCentipawns).number + 1;

// Mates are expected to be followed by mates; where they are not, the game is still lopsided.
int expected_centipawns(Score expected) {
    constexpr int kAfterMate = 2000;
    if (expected.is_none()) return 0;
    if (expected.is_mate()) return expected.value() > 0 ? kAfterMate : -kAfterMate;
    return expected.value();
}

}  // namespace

unsigned score_context(Score expected) {
    if (expected.is_mate()) return 3;
    const int magnitude = std::abs(expected_centipawns(expected));
    if (magnitude < 100) return 0;
    return magnitude < 400 ? 1 : 2;
}

void encode_score(Score score, Score expected, Bytes& symbols, BitWriter& low_bits,
                  Bytes& mate_distances) {
    if (score.is_none()) return symbols.push_back(kNone);
    if (score.is_mate()) {
        symbols.push_back(score.value() > 0 ? kWinningMate : kLosingMate);
        return append_varint(mate_distances,
                             static_cast<unsigned>(Score::kMate - std::abs(score.value())));
    }
    const int difference = score.value() - expected_centipawns(expected);
    if (difference == 0) return symbols.push_back(kNoDifference);
    const auto magnitude = static_cast<unsigned>(std::abs(difference));
    const MagnitudeClass c = class_of(magnitude);
    symbols.push_back(
        static_cast<std::uint8_t>(kFirstDifference + 2 * c.number + (difference < 0 ? 1 : 0)));
    low_bits.put(magnitude - smallest_magnitude(c.number), c.low_bits);
}

Score decode_score(Score expected, ByteReader& symbols, BitReader& low_bits,
                   ByteReader& mate_distances) {
    const unsigned symbol = symbols.byte();
    if (symbol >= kFirstDifference) {
        const unsigned number = (symbol - kFirstDifference) / 2;
        if (number >= kMagnitudeClasses) return Score();
        const auto magnitude =
            static_cast<int>(smallest_magnitude(number) + low_bits.take(low_bits_of(number)));
        const bool negative = (symbol - kFirstDifference) % 2 != 0;
        return Score::centipawns(expected_centipawns(expected) +
                                 (negative ? -magnitude : magnitude));
    }
    if (symbol == kNoDifference) return Score::centipawns(expected_centipawns(expected));
    if (symbol == kNone) return Score();
    constexpr std::uint64_t kFarthest = Score::kUnknownDistance;
    const auto distance = static_cast<int>(std::min(mate_distances.varint(), kFarthest));
    return symbol == kWinningMate ? Score::mate_in(distance) : Score::mated_in(distance);
}

}  // namespace solis::data
