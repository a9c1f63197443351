// Random openings.
#include "solis/chess/random_opening.h"

#include <gtest/gtest.h>

namespace solis::chess {
namespace {

TEST(RandomOpening, HasAsManyMovesAsAskedForAndIsNotOver) {
    Rng rng(Seed{3});
    for (const int plies : {0, 1, 8, 60}) {
        for (int i = 0; i < 50; ++i) {
            const Game game = random_opening(plies, rng);
            EXPECT_EQ(game.keys().size(), static_cast<std::size_t>(plies) + 1);
            EXPECT_FALSE(game.outcome(Claims::Counted));
        }
    }
}

TEST(RandomOpening, IsTheSameForTheSameSeedOnly) {
    Rng a(Seed{5}), b(Seed{5}), c(Seed{6});
    const Game first = random_opening(8, a);
    EXPECT_EQ(first.position().key(), random_opening(8, b).position().key());
    EXPECT_NE(first.position().key(), random_opening(8, c).position().key());
}

}  // namespace
}  // namespace solis::chess
