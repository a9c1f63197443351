// The sequential test against published ratios and simulated matches.
#include "lab/rating/sprt.h"

#include <algorithm>
#include <cmath>
#include <string>

#include <gtest/gtest.h>

#include "base/rng.h"
#include "lab/rating/elo_model.h"

namespace solis::lab {
namespace {

ScoreCounts counts(const std::string& text) {
    const auto commas = static_cast<std::size_t>(std::count(text.begin(), text.end(), ','));
    const auto parsed = ScoreCounts::parse(text, commas + 1);
    EXPECT_TRUE(parsed) << text;
    return *parsed;
}

struct Published {
    const char* counts;  // losses, draws, wins, or pairs
    double elo0, elo1, ratio;
};

// Expected values of fastchess's own tests (app/tests/sprt_test.cpp), which follow fishtest. Pairs
// with one point are the sum of its two counts, won-and-lost and twice drawn.
TEST(Sprt, NormalisedRatiosAreThePublishedOnes) {
    for (const Published& known : {Published{"36027,68692,36433", 0, 2, 0.92},
                                   Published{"10650,20431,10871", -1.75, 0.25, 2.30},
                                   Published{"365,16618,36229,16974,390", 0, 2, 2.25},
                                   Published{"127,4883,10712,5150,104", -1.75, 0.25, 3.01}}) {
        const SprtTest test{known.elo0, known.elo1, 0.05, 0.05, EloKind::Normalised};
        EXPECT_NEAR(log_likelihood_ratio(test, counts(known.counts)), known.ratio,
                    std::abs(known.ratio) * 0.01)
            << known.counts;
    }
}
TEST(Sprt, LogisticRatiosAreThePublishedOnes) {
    for (const Published& known : {Published{"21184,40708,21404", 0.5, 2.5, -1.57},
                                   Published{"57030,106593,57433", 0, 2, -2.59},
                                   Published{"223,9863,21279,10037,246", 0.5, 2.5, -3.07},
                                   Published{"871,26175,55983,26678,821", 0, 2, -4.98}}) {
        const SprtTest test{known.elo0, known.elo1, 0.05, 0.05, EloKind::Logistic};
        EXPECT_NEAR(log_likelihood_ratio(test, counts(known.counts)), known.ratio,
                    std::abs(known.ratio) * 0.01)
            << known.counts;
    }
}

// A simulated match of pairs: each game is a draw with probability 1/2, and an opening that favours
// White makes the games of a pair depend on each other.
ScoreCounts play(Rng& rng, double elo, int pairs) {
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
    return ScoreCounts::of_pairs(games);
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
        for (const auto& [seen, reversed] : {std::pair{"10,40,90,60,20", "20,60,90,40,10"},
                                             {"0,0,5,0,3", "3,0,5,0,0"},
                                             {"30,50,70", "70,50,30"},
                                             {"0,0,1", "1,0,0"}}) {
            EXPECT_NEAR(log_likelihood_ratio(test, counts(seen)),
                        -log_likelihood_ratio(mirrored, counts(reversed)), 1e-6)
                << seen;
        }
    }
}

TEST(Sprt, RatioIsFiniteForEveryCountAndHypothesis) {
    Rng rng(Seed{2});
    for (int i = 0; i < 3000; ++i) {
        std::string text;
        for (int field = 0; field < 5; ++field) {
            const std::uint64_t count =
                rng.chance(0.4) ? 0 : rng.below(rng.chance(0.5) ? 3 : 90000);
            text += fmt::format("{}{}", field == 0 ? "" : ",", count);
        }
        const auto parsed = ScoreCounts::parse(text, 5);
        if (!parsed) continue;  // no games at all
        const double elo = 400 * rng.unit() - 200;
        const SprtTest test{elo, elo + 0.1 + (200 - elo) * rng.unit(), 0.05, 0.05,
                            rng.chance(0.5) ? EloKind::Logistic : EloKind::Normalised};
        EXPECT_TRUE(std::isfinite(log_likelihood_ratio(test, *parsed)))
            << text << " " << test.elo0 << " " << test.elo1;
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
                return rng.chance(score_of_elo(stronger ? 40 : 0)) ? 2u : 0u;
            };
            for (int i = 0; i < 5; ++i) ++games.pairs[result()][result()];
            decision = decide(test, log_likelihood_ratio(test, ScoreCounts::of_pairs(games)));
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
                                     {"elo0", "no value"},
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
        const char* counts;
        double elo, error, normalised, normalised_error;
    };
    for (const Known& known : {Known{"96,111,136", 40.70, 30.43, 49.77, 36.77},
                               Known{"34,54,63,64,75", 55.58, 27.65, 57.94, 28.28},
                               Known{"332,433,498,333,334", -8.64, 10.33, -9.17, 10.96},
                               Known{"7895,8757,5685,568,9999", -21.04, 2.95, -19.01, 2.65}}) {
        const MatchEstimate estimate = estimate_match(counts(known.counts));
        EXPECT_NEAR(estimate.elo.value, known.elo, 0.01) << known.counts;
        EXPECT_NEAR(estimate.elo.half_width(), known.error, 0.01) << known.counts;
        EXPECT_NEAR(estimate.normalised_elo.value, known.normalised, 0.01) << known.counts;
        EXPECT_NEAR(estimate.normalised_elo.half_width(), known.normalised_error, 0.01)
            << known.counts;
    }
    EXPECT_NEAR(estimate_match(counts("89,123,76")).superiority, 0.1553, 5e-5);
    EXPECT_NEAR(estimate_match(counts("96,111,136")).superiority, 0.9960, 5e-5);
}

TEST(MatchEstimate, OfOneSidedMatchesIsInfiniteNotWrong) {
    EXPECT_EQ(estimate_match(counts("0,0,9")).elo.value, INFINITY);
    EXPECT_EQ(estimate_match(counts("9,0,0")).elo.value, -INFINITY);
    EXPECT_EQ(estimate_match(counts("0,9,0")).elo.value, 0);
    EXPECT_EQ(estimate_match(counts("0,9,0")).superiority, 0.5);
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
