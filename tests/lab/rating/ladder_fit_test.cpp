// Ladders that behave like Elo are left alone, others are warned about.
#include "solis/lab/rating/ladder_fit.h"

#include <cmath>
#include <string>

#include <gtest/gtest.h>

#include "solis/base/rng.h"
#include "solis/lab/rating/distributions.h"

namespace solis::lab {
namespace {

#ifdef SOLIS_SANITIZED
constexpr int kLadders = 50;
#else
constexpr int kLadders = 1000;
#endif

struct Ladder {
    ResultTable table;
    Ratings ratings;
};

// A player of 1800 against opponents that say 1500, 1550 ... 2100; a difference of ratings counts
// `steepness` times. Openings favour White by `edge` or not at all.
Ladder play_ladder(Rng& rng, double steepness, double edge) {
    Ladder ladder;
    RatingOptions options;
    options.fit_draw_elo = true;
    const std::size_t player = ladder.table.player("player");
    const EloModel model;
    for (int cap = 1500; cap <= 2100; cap += 50) {
        const std::size_t opponent = ladder.table.player(std::to_string(cap));
        options.anchors.push_back({opponent, static_cast<double>(cap)});
        const double difference = steepness * (1800 - cap) / model.scale();
        for (int pair = 0; pair < 50; ++pair) {
            EloModel opening = model;
            opening.advantage += rng.chance(0.5) ? edge : -edge;
            const auto result = [&](double d) {
                const GameOdds odds = odds_of(opening, d);
                const double at = rng.unit();
                return at < odds.win               ? HalfPoints::Win
                       : at < odds.win + odds.draw ? HalfPoints::Draw
                                                   : HalfPoints::Loss;
            };
            ladder.table.add_pair(player, opponent, result(difference),
                                  reversed(result(-difference)));
        }
    }
    auto ratings = rate(ladder.table, options);
    EXPECT_TRUE(ratings);
    ladder.ratings = *std::move(ratings);
    return ladder;
}

TEST(LadderFit, TrueLaddersAreRarelyDoubted) {
    Rng rng(Seed{1});
    int warned = 0, improbable = 0;
    for (int i = 0; i < kLadders; ++i) {
        const Ladder ladder = play_ladder(rng, 1, 0);
        const GoodnessOfFit fit = check_fit(ladder.table, ladder.ratings);
        warned += !fit_warnings(ladder.table, ladder.ratings, fit).empty();
        improbable += fit.results.p() < 0.05;
    }
    EXPECT_LE(warned, kLadders * 0.015);
    EXPECT_NEAR(improbable, kLadders * 0.05, kLadders * 0.03 + 2);
}

TEST(LadderFit, FlatLaddersAreAlwaysDoubted) {
    Rng rng(Seed{2});
    for (int i = 0; i < 20; ++i) {
        const Ladder ladder = play_ladder(rng, 0, 0);
        const GoodnessOfFit fit = check_fit(ladder.table, ladder.ratings);
        ASSERT_EQ(fit.ladders.size(), 1u);
        EXPECT_LT(std::abs(fit.ladders[0].slope), 5);
        EXPECT_LT(fit.ladders[0].expected_slope, -10);
        EXPECT_FALSE(fit_warnings(ladder.table, ladder.ratings, fit).empty());
        EXPECT_LT(fit.results.p(), 1e-6);
        EXPECT_GT(fit.ladders[0].constant.p(), 1e-4);
    }
}

TEST(LadderFit, WarningsAreInPlainWords) {
    LadderFit ladder;
    ladder.slope = -0.9;
    ladder.slope_error = 1;
    ladder.expected_slope = -14;
    ladder.as_rated = {90, 6};
    ladder.constant = {5, 6};
    const auto warnings = ladder_warnings(ladder, "x");
    ASSERT_EQ(warnings.size(), 2u);
    EXPECT_EQ(warnings[0],
              "x: the score falls by 0.9 points per 100 Elo of the opponent; the rating model "
              "expects it to fall by 14.0 (13 standard errors away). These opponents' ratings are "
              "not on a common scale: do not quote the Elo");
    EXPECT_EQ(warnings[1],
              "x: one and the same score against every opponent explains the results (chi-square 5 "
              "on 6 degrees of freedom, p = 0.54), the ratings do not (chi-square 90 on 6 degrees "
              "of freedom, p < 1e-12): the Elo only repeats which opponents were chosen");
}

TEST(LadderFit, UnexpectedDrawsAreNamed) {
    ResultTable table;
    const std::size_t a = table.player("a"), b = table.player("b");
    table.add_uncoloured(a, b, {{10, 180, 10}});
    const auto ratings = rate(table, {});
    ASSERT_TRUE(ratings);
    const auto warnings = fit_warnings(table, *ratings, check_fit(table, *ratings));
    ASSERT_EQ(warnings.size(), 1u);
    EXPECT_NE(warnings[0].find("90 % of the games are draws"), std::string::npos) << warnings[0];
}

// Critical values of printed tables.
TEST(Distributions, AreThoseOfTheTables) {
    EXPECT_NEAR(chi_square_tail(3.841459, 1), 0.05, 1e-7);
    EXPECT_NEAR(chi_square_tail(18.307038, 10), 0.05, 1e-7);
    EXPECT_NEAR(chi_square_tail(135.806723, 100), 0.01, 1e-7);
    EXPECT_NEAR(chi_square_tail(0.0157908, 1), 0.90, 1e-6);
    EXPECT_EQ(chi_square_tail(0, 5), 1);
    EXPECT_LT(chi_square_tail(2670, 264), 1e-300);
    EXPECT_NEAR(normal_quantile(0.975), 1.959963985, 1e-9);
    EXPECT_NEAR(normal_cdf(-3), 0.001349898, 1e-9);
    EXPECT_NEAR(interval_width(0.95), 1.959963985, 1e-9);
}

}  // namespace
}  // namespace solis::lab
