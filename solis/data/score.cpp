// Score <-> win probability.
#include "solis/data/score.h"

#include <cmath>

#include "solis/chess/centipawns.h"

namespace solis::data {
Score Score::from_bits(std::int16_t bits) {
    const int magnitude = bits < 0 ? -static_cast<int>(bits) : bits;
    const bool is_centipawns = magnitude <= kMaxCentipawns;
    const bool is_mate = magnitude >= kMate - kUnknownDistance && magnitude <= kMate;
    return is_centipawns || is_mate ? Score(bits) : Score();
}

Score Score::from_win_probability(double p) {
    if (std::isnan(p) || p < 0 || p > 1) return Score();
    if (p == 1) return mate_in(kUnknownDistance);
    if (p == 0) return mated_in(kUnknownDistance);
    return centipawns(std::llround(chess::centipawns_at(p)));
}

double Score::win_probability() const {
    if (is_none()) return std::numeric_limits<double>::quiet_NaN();
    if (is_mate()) return value_ > 0 ? 1.0 : 0.0;
    return chess::probability_of(value_);
}

}  // namespace solis::data
