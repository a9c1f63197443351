// The sequential test against published ratios and simulated matches.
#include "solis/lab/rating/sprt.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "solis/base/rng.h"
#include "solis/lab/rating/elo_model.h"
#include "solis/lab/rating/result_table.h"

namespace solis::lab {
namespace {

// Three counts are losses, draws and wins, five are pairs.
ScoreCount counts(const std::vector<std::uint64_t>& given) {
    if (given.size() == 3) return count_of_games(given[2], given[1], given[0]);
    std::array<std::uint64_t, 5> pairs{};
    std::copy(given.begin(), given.end(), pairs.begin());
    return count_of_pairs(pairs);
}

std::string text(const std::vector<std::uint64_t>& given) {
    return fmt::format("{}", fmt::join(given, ","));
}

struct Published {
    std::vector<std::uint64_t> counts;  // losses, draws, wins, or pairs
    double elo0, elo1, ratio;
};

// Expected values of fastchess's own tests (app/tests/sprt_test.cpp), which follow fishtest. Pairs
// with one point are the sum of its two counts, won-and-lost and twice drawn. Of the one-sided case
// there are two: 111.82 for 5,550 pairs, and 2.94 for 104; see the next two tests.
TEST(Sprt, NormalisedRatiosAreThePublishedOnes) {
    for (const Published& known : {Published{{36027, 68692, 36433}, 0, 2, 0.92},
                                   Published{{10650, 20431, 10871}, -1.75, 0.25, 2.30},
                                   Published{{365, 16618, 36229, 16974, 390}, 0, 2, 2.25},
                                   Published{{127, 4883, 10712, 5150, 104}, -1.75, 0.25, 3.01},
                                   Published{{0, 0, 0, 0, 5550}, 0, 5, 111.82}}) {
        const SprtTest test{known.elo0, known.elo1, 0.05, 0.05, EloKind::Normalised};
        EXPECT_NEAR(log_likelihood_ratio(test, counts(known.counts)), known.ratio,
                    std::abs(known.ratio) * 0.01)
            << text(known.counts);
    }
}

// Where every pair is won, the best distribution whose mean is t deviations above 1/2 has pairs won
// with p and lost with 1 - p: mass between them would leave less for p. From
// p - 1/2 = t sqrt(p (1 - p)) follows 2p = 1 + t / sqrt(1 + t^2), and n pairs have the ratio
// n log(p1 / p0): 2.095 for 104 pairs and [0, 5].
TEST(Sprt, PairsThatAreAllWonHaveAClosedForm) {
    for (const std::uint64_t n : {104u, 1000u, 5550u}) {
        for (const auto& [elo0, elo1] : {std::pair{0.0, 5.0}, {-3.0, 1.0}, {0.0, 60.0}}) {
            const auto log_of_twice_p = [](double elo) {
                const double t = std::sqrt(2.0) * elo / kNormalisedEloPerDeviation;
                return std::log(1 + t / std::sqrt(1 + t * t));
            };
            const double expected =
                static_cast<double>(n) * (log_of_twice_p(elo1) - log_of_twice_p(elo0));
            const SprtTest test{elo0, elo1, 0.05, 0.05, EloKind::Normalised};
            EXPECT_NEAR(log_likelihood_ratio(test, counts({0, 0, 0, 0, n})), expected,
                        0.002 * expected)
                << n << " pairs, [" << elo0 << ", " << elo1 << "]";
        }
    }
}

// Results that are exactly elo0's are the most likely ones under elo0: no ratio can favour elo1,
// whatever the two are. All draws are such results for elo0 = 0 (fastchess's tests say 2.97).
TEST(Sprt, ResultsOfEloZeroNeverFavourAnotherElo) {
    for (const std::vector<std::uint64_t>& seen : {std::vector<std::uint64_t>{0, 16700, 0},
                                                   {0, 0, 104, 0, 0},
                                                   {50, 7, 50},
                                                   {3, 1, 9, 1, 3}}) {
        for (const EloKind kind : {EloKind::Logistic, EloKind::Normalised}) {
            for (const double elo1 : {0.5, 5.0, 50.0}) {
                const SprtTest test{0, elo1, 0.05, 0.05, kind};
                EXPECT_LT(log_likelihood_ratio(test, counts(seen)), 0) << text(seen) << " " << elo1;
            }
        }
    }
}

TEST(Sprt, LogisticRatiosAreThePublishedOnes) {
    for (const Published& known : {Published{{21184, 40708, 21404}, 0.5, 2.5, -1.57},
                                   Published{{57030, 106593, 57433}, 0, 2, -2.59},
                                   Published{{223, 9863, 21279, 10037, 246}, 0.5, 2.5, -3.07},
                                   Published{{871, 26175, 55983, 26678, 821}, 0, 2, -4.98}}) {
        const SprtTest test{known.elo0, known.elo1, 0.05, 0.05, EloKind::Logistic};
        EXPECT_NEAR(log_likelihood_ratio(test, counts(known.counts)), known.ratio,
                    std::abs(known.ratio) * 0.01)
            << text(known.counts);
    }
}

// A simulated match of pairs: each game is a draw with probability 1/2, and an opening that favours
// White makes the games of a pair depend on each other.
ScoreCount play(Rng& rng, double elo, int pairs) {
    Encounter games;
    for (int i = 0; i < pairs; ++i) {
        const double edge = rng.chance(0.5) ? 100 : -100;
        const auto result = [&](double difference) {
            const GameOdds odds = odds_of({0, 190}, difference);
            const double at = rng.unit();
            return at < odds.win ? 2u : at < odds.win + odds.draw ? 1u : 0u;
        };
        ++games.pairs[result(elo + edge)][result(elo - edge)];
    }
    return games.as_match();
}

TEST(Sprt, RatioFavoursTheHypothesisThatIsTrue) {
    Rng rng(Seed{1});
    for (const EloKind kind : {EloKind::Logistic, EloKind::Normalised}) {
        const SprtTest test{0, 20, 0.05, 0.05, kind};
        EXPECT_GT(log_likelihood_ratio(test, play(rng, 40, 2000)), test.upper_bound());
        EXPECT_LT(log_likelihood_ratio(test, play(rng, -10, 2000)), test.lower_bound());
    }
}

TEST(Sprt, RatioChangesSignWithTheViewOfTheOpponent) {
    for (const EloKind kind : {EloKind::Logistic, EloKind::Normalised}) {
        const SprtTest test{-3, 7, 0.05, 0.05, kind}, mirrored{-7, 3, 0.05, 0.05, kind};
        for (const std::vector<std::uint64_t>& seen :
             {std::vector<std::uint64_t>{10, 40, 90, 60, 20},
              {0, 0, 5, 0, 3},
              {30, 50, 70},
              {0, 0, 1}}) {
            EXPECT_NEAR(log_likelihood_ratio(test, counts(seen)),
                        -log_likelihood_ratio(mirrored, counts(seen).reversed()), 1e-6)
                << text(seen);
        }
    }
}

TEST(Sprt, RatioIsFiniteForEveryCountAndHypothesis) {
#ifdef SOLIS_SANITIZED
    constexpr int kCases = 300;
#else
    constexpr int kCases = 3000;
#endif
    Rng rng(Seed{2});
    for (int i = 0; i < kCases; ++i) {
        std::vector<std::uint64_t> given;
        for (int field = 0; field < 5; ++field) {
            given.push_back(rng.chance(0.4) ? 0 : rng.below(rng.chance(0.5) ? 3 : 90000));
        }
        const double elo = 400 * rng.unit() - 200;
        const SprtTest test{elo, elo + 0.1 + (200 - elo) * rng.unit(), 0.05, 0.05,
                            rng.chance(0.5) ? EloKind::Logistic : EloKind::Normalised};
        EXPECT_TRUE(std::isfinite(log_likelihood_ratio(test, counts(given))))
            << text(given) << " " << test.elo0 << " " << test.elo1;
    }
}

// Wald's bounds promise that a test with alpha = beta = 0.05 is wrong about once in twenty.
TEST(Sprt, ErrsAsOftenAsItSays) {
#ifdef SOLIS_SANITIZED
    constexpr int kMatches = 40;
#else
    constexpr int kMatches = 400;
#endif
    Rng rng(Seed{3});
    const SprtTest test{0, 40, 0.05, 0.05, EloKind::Logistic};
    int wrong = 0;
    for (int match = 0; match < kMatches; ++match) {
        const bool stronger = match % 2 == 0;
        Encounter games;
        SprtDecision decision = SprtDecision::Continue;
        while (decision == SprtDecision::Continue) {
            // No draws: logistic Elo is then that of the model.
            const auto result = [&] {
                return rng.chance(score_from_elo(stronger ? 40 : 0)) ? 2u : 0u;
            };
            for (int i = 0; i < 5; ++i) ++games.pairs[result()][result()];
            decision = decide(test, log_likelihood_ratio(test, games.as_match()));
        }
        wrong += (decision == SprtDecision::AcceptElo1) != stronger;
    }
    EXPECT_LE(wrong, kMatches * 0.085);
}

TEST(Sprt, ParsesItsFieldsAndNamesWhatIsWrong) {
    const auto test = parse_sprt("elo0=-1.75,elo1=0.25,model=logistic,alpha=0.1");
    ASSERT_TRUE(test);
    EXPECT_EQ(test->elo0, -1.75);
    EXPECT_EQ(test->elo1, 0.25);
    EXPECT_EQ(test->alpha, 0.1);
    EXPECT_EQ(test->beta, 0.05);
    EXPECT_EQ(test->kind, EloKind::Logistic);
    for (const auto& [text, part] : {std::pair{"elo0=5,elo1=0", "elo0 < elo1"},
                                     {"elo2=5", "'elo2' is unknown"},
                                     {"elo0", "'' is not a number"},
                                     {"elo0=x", "'x' is not a number"},
                                     {"elo0=nan", "elo0 < elo1"},
                                     {"elo1=1e9", "between"},
                                     {"alpha=0", "alpha"},
                                     {"model=bayes", "'bayes'"}}) {
        const auto broken = parse_sprt(text);
        ASSERT_FALSE(broken) << text;
        EXPECT_NE(broken.error().message.find(part), std::string::npos) << broken.error().message;
    }
}

// Expected values of fastchess's own tests (app/tests/elo_test.cpp).
TEST(MatchEstimate, IsThePublishedOne) {
    struct Known {
        std::vector<std::uint64_t> counts;
        double elo, error, normalised, normalised_error;
    };
    for (const Known& known : {Known{{96, 111, 136}, 40.70, 30.43, 49.77, 36.77},
                               Known{{34, 54, 63, 64, 75}, 55.58, 27.65, 57.94, 28.28},
                               Known{{332, 433, 498, 333, 334}, -8.64, 10.33, -9.17, 10.96},
                               Known{{7895, 8757, 5685, 568, 9999}, -21.04, 2.95, -19.01, 2.65}}) {
        const auto found = estimate(counts(known.counts));
        ASSERT_TRUE(found && found->elo_95 && found->normalised) << text(known.counts);
        EXPECT_NEAR(found->elo, known.elo, 0.01) << text(known.counts);
        EXPECT_NEAR((found->elo_95->high - found->elo_95->low) / 2, known.error, 0.01)
            << text(known.counts);
        EXPECT_NEAR(found->normalised->elo, known.normalised, 0.01) << text(known.counts);
        EXPECT_NEAR(found->normalised->error, known.normalised_error, 0.01) << text(known.counts);
    }
    EXPECT_NEAR(estimate(counts({89, 123, 76}))->los, 0.1553, 5e-5);
    EXPECT_NEAR(estimate(counts({96, 111, 136}))->los, 0.9960, 5e-5);
}

TEST(MatchEstimate, OfOneSidedMatchesIsInfiniteNotWrong) {
    EXPECT_EQ(estimate(counts({0, 0, 9}))->elo, INFINITY);
    EXPECT_EQ(estimate(counts({9, 0, 0}))->elo, -INFINITY);
    EXPECT_EQ(estimate(counts({0, 9, 0}))->elo, 0);
    EXPECT_EQ(estimate(counts({0, 9, 0}))->los, 0.5);
    EXPECT_FALSE(estimate(counts({0, 0, 9}))->normalised);
}

TEST(Sprt, BoundsAreThoseOfWald) {
    const SprtTest test;
    EXPECT_NEAR(test.upper_bound(), 2.944, 1e-3);
    EXPECT_NEAR(test.lower_bound(), -2.944, 1e-3);
    EXPECT_EQ(decide(test, 2.95), SprtDecision::AcceptElo1);
    EXPECT_EQ(decide(test, -2.95), SprtDecision::AcceptElo0);
    EXPECT_EQ(decide(test, 2.9), SprtDecision::Continue);
}

}  // namespace
}  // namespace solis::lab
