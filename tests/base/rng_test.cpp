// The generator is a fixed function of its seed.
#include "solis/base/rng.h"

#include <gtest/gtest.h>

namespace solis {
namespace {

TEST(Rng, CopyContinuesTheSameSequence) {
    Rng rng(Seed{42});
    for (int i = 0; i < 100; ++i) (void)rng.next();
    Rng copy(rng.state());
    for (int i = 0; i < 100; ++i) EXPECT_EQ(copy.next(), rng.next());
}

TEST(Rng, BelowStaysBelowAndReachesEveryValue) {
    Rng rng(Seed{1});
    std::array<int, 7> hits{};
    for (int i = 0; i < 7000; ++i) {
        const std::uint64_t value = rng.below(7);
        ASSERT_LT(value, 7u);
        ++hits[value];
    }
    for (const int count : hits) EXPECT_NEAR(count, 1000, 150);
}

}  // namespace
}  // namespace solis
