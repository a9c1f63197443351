// A test of fit at level 0.05 doubts true ladders once in twenty, however few their games.
#include "solis/lab/rating/simulated_fit.h"

#include <string>

#include <gtest/gtest.h>

namespace solis::lab {
namespace {

#ifdef SOLIS_SANITIZED
constexpr int kSmallLadders = 20;
#else
constexpr int kSmallLadders = 400;
#endif

struct SmallLadder {
    ResultTable table;
    RatingOptions options;
    Ratings ratings;
    ChiSquare results;
};

// A player of 1800 against anchors whose ratings are true if `steepness` is 1; pairs of games.
SmallLadder play_small_ladder(Rng& rng, int pairs, double steepness) {
    SmallLadder ladder;
    const std::size_t player = ladder.table.player("player");
    const EloModel model;
    for (int rung = 1500; rung <= 2100; rung += 150) {
        const std::size_t opponent = ladder.table.player(std::to_string(rung));
        ladder.options.anchors.push_back({opponent, static_cast<double>(rung)});
        const double difference = steepness * (1800 - rung) / model.scale();
        const auto result = [&](double d) {
            const GameOdds odds = odds_of(model, d);
            const double at = rng.unit();
            return at < odds.win               ? HalfPoints::Win
                   : at < odds.win + odds.draw ? HalfPoints::Draw
                                               : HalfPoints::Loss;
        };
        for (int i = 0; i < pairs; ++i) {
            const HalfPoints as_white = result(difference);
            ladder.table.add_pair(player, opponent, as_white, reversed(result(-difference)));
        }
    }
    ladder.ratings = *rate(ladder.table, ladder.options);
    ladder.results = chi_square_of(ladder.table, ladder.ratings);
    return ladder;
}

std::optional<double> p_of(const SmallLadder& ladder, int enough, int most) {
    return simulate_p(ladder.table, ladder.ratings, ladder.options, ladder.results,
                      {Seed{7}, enough, most});
}

TEST(SimulatedFit, DoubtsTrueLaddersAsOftenAsItSays) {
    for (const int pairs : {3, 10, 40}) {
        Rng rng(Seed{static_cast<std::uint64_t>(pairs)});
        int doubted = 0, by_tail = 0;
        for (int i = 0; i < kSmallLadders; ++i) {
            const SmallLadder ladder = play_small_ladder(rng, pairs, 1);
            const auto p = p_of(ladder, 10, 199);
            ASSERT_TRUE(p);
            doubted += *p <= 0.05;
            by_tail += ladder.results.tail() <= 0.05;
        }
        RecordProperty("tail_" + std::to_string(pairs), by_tail);
        RecordProperty("simulated_" + std::to_string(pairs), doubted);
        EXPECT_NEAR(doubted, 0.05 * kSmallLadders, 0.025 * kSmallLadders + 1)
            << pairs << " pairs a rung";
    }
}

TEST(SimulatedFit, FalseLaddersAreFound) {
    Rng rng(Seed{5});
    for (int i = 0; i < 5; ++i) {
        SmallLadder flat = play_small_ladder(rng, 20, 0);
        flat.results.simulated_p = p_of(flat, 10, 199);
        EXPECT_LE(flat.results.p(), 0.01);
    }
}

TEST(SimulatedFit, SameSeedSameP) {
    Rng rng(Seed{6});
    const SmallLadder ladder = play_small_ladder(rng, 5, 1);
    ASSERT_TRUE(p_of(ladder, 10, 199));
    EXPECT_EQ(p_of(ladder, 10, 199), p_of(ladder, 10, 199));
    EXPECT_GT(*p_of(ladder, 10, 199), 0);
    EXPECT_LE(*p_of(ladder, 10, 199), 1);
}

TEST(SimulatedFit, IsLeftToTheTailWhereItCannotHelp) {
    Rng rng(Seed{8});
    SmallLadder ladder = play_small_ladder(rng, 5, 1);
    ChiSquare nothing = ladder.results;
    nothing.df = 0;
    EXPECT_FALSE(simulate_p(ladder.table, ladder.ratings, ladder.options, nothing));
    EXPECT_EQ(ladder.results.p(), ladder.results.tail()) << "not simulated yet";
    // An odd number of games without colours is half a game of each.
    ladder.table.add_uncoloured(0, 1, {{1, 1, 1}});
    EXPECT_FALSE(simulate_p(ladder.table, ladder.ratings, ladder.options, ladder.results));
}

}  // namespace
}  // namespace solis::lab
