// Tests of planner/strength.h.
#include "solis/planner/strength.h"

#include <gtest/gtest.h>

namespace solis::planner {
namespace {

TEST(Strength, FallsWithTheRating) {
    StrengthLimit weaker = strength_at(Settings::kMinElo);
    EXPECT_GT(weaker.error, 0);
    for (int elo = Settings::kMinElo + 100; elo <= Settings::kMaxElo; elo += 100) {
        const StrengthLimit limit = strength_at(elo);
        EXPECT_GE(limit.embeddings, weaker.embeddings) << elo;
        EXPECT_LE(limit.error, weaker.error) << elo;
        EXPECT_TRUE(limit.embeddings > weaker.embeddings || limit.error < weaker.error) << elo;
        weaker = limit;
    }
}

TEST(Strength, MistakesAreTheSameForTheSameSeed) {
    const auto chosen = [](std::uint64_t seed, double error) {
        Plan plan;
        for (int i = 0; i < 5; ++i) {
            plan.lines.push_back({-1000 * i,
                                  Bound::Exact,
                                  {chess::Move::from_bits(static_cast<std::uint16_t>(i + 1))}});
        }
        misjudge(plan, error, seed);
        EXPECT_EQ(plan.lines.size(), 5u);
        return plan.best().bits();
    };
    bool errs = false;
    for (std::uint64_t seed = 0; seed < 50; ++seed) {
        EXPECT_EQ(chosen(seed, 3000), chosen(seed, 3000));
        EXPECT_EQ(chosen(seed, 0), 1);
        errs = errs || chosen(seed, 3000) != 1;
    }
    EXPECT_TRUE(errs);
}

}  // namespace
}  // namespace solis::planner
