// Scores and win probabilities.
#include "solis/data/score.h"

#include <gtest/gtest.h>

namespace solis::data {
namespace {

TEST(Score, WinProbabilityAndBack) {
    for (int cp = -2000; cp <= 2000; cp += 7) {
        const Score score = Score::centipawns(cp);
        EXPECT_EQ(Score::from_win_probability(score.win_probability()), score) << cp;
    }
    EXPECT_DOUBLE_EQ(Score::centipawns(0).win_probability(), 0.5);
    EXPECT_DOUBLE_EQ(Score::mate_in(3).win_probability(), 1.0);
    EXPECT_DOUBLE_EQ(Score::mated_in(0).win_probability(), 0.0);
}

TEST(Score, BitsOutsideTheRangesAreNoVerdict) {
    for (int bits = -32768; bits <= 32767; ++bits) {
        const Score score = Score::from_bits(static_cast<std::int16_t>(bits));
        const int magnitude = std::abs(bits);
        const bool known = magnitude <= 20000 || (magnitude >= 31000 && magnitude <= 32000);
        EXPECT_EQ(score.is_none(), !known) << bits;
        if (known) {
            EXPECT_EQ(score.value(), bits);
        }
    }
}

}  // namespace
}  // namespace solis::data
