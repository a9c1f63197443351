// Tests of planner/repetition.h.
#include "solis/planner/repetition.h"

#include <vector>

#include <gtest/gtest.h>

namespace solis::planner {
namespace {

using Keys = std::vector<std::uint64_t>;

TEST(Repeats, OnceSinceTheRootIsEnough) {
    // The game is one position long; the line comes back to its own second position.
    EXPECT_TRUE(repeats(Keys{1, 2, 3, 4, 5, 2}, 1, 5));
    // The root itself comes back.
    EXPECT_TRUE(repeats(Keys{9, 1, 2, 3, 4, 1}, 2, 5));
    EXPECT_FALSE(repeats(Keys{1, 2, 3, 4, 5, 6}, 1, 5));
}

TEST(Repeats, APositionBeforeTheRootMustHaveOccurredTwice) {
    // The game is 1 2 3 4; then the line reaches 2 again, which the game has seen once.
    EXPECT_FALSE(repeats(Keys{1, 2, 3, 4, 5, 2}, 4, 5));
    // The game has seen 2 twice.
    EXPECT_TRUE(repeats(Keys{1, 2, 3, 4, 5, 2, 6, 7, 8, 2}, 8, 9));
    // ... and once more after that would be the fourth time.
    EXPECT_TRUE(repeats(Keys{2, 3, 4, 5, 2, 6, 7, 8, 2, 9, 9, 9, 2}, 10, 12));
}

TEST(Repeats, NothingBeforeTheLastCaptureOrPawnMoveCounts) {
    const Keys keys{1, 2, 3, 4, 1};
    EXPECT_TRUE(repeats(keys, 1, 4));
    EXPECT_FALSE(repeats(keys, 1, 3));
    EXPECT_FALSE(repeats(keys, 1, 0));
    // A counter that is larger than the history, as FENs may have it, is no reason to read beyond
    // it.
    EXPECT_TRUE(repeats(keys, 1, 90));
    EXPECT_FALSE(repeats(Keys{7}, 1, 90));
}

TEST(Repeats, OnlyPositionsOfTheSameSideToMoveAreCompared) {
    // Equal keys an odd number of plies apart cannot be: such a pair of numbers is no repetition.
    EXPECT_FALSE(repeats(Keys{1, 2, 3, 4, 5, 1}, 1, 5));
    // Nor can a position come back after two plies.
    EXPECT_FALSE(repeats(Keys{1, 2, 1}, 1, 2));
}

}  // namespace
}  // namespace solis::planner
