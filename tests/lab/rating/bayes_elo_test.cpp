// Ratings against published lists and against simulated games whose truth is known.
#include "solis/lab/rating/bayes_elo.h"

#include <algorithm>
#include <cmath>
#include <string>

#include <gtest/gtest.h>

#include "solis/base/rng.h"
#include "solis/lab/rating/distributions.h"

namespace solis::lab {
namespace {

#ifdef SOLIS_SANITIZED
constexpr int kSimulations = 50;  // so few leave the share itself in doubt
constexpr double kDoubt = 0.09;
#else
constexpr int kSimulations = 1000;
constexpr double kDoubt = 0.02;
#endif

HalfPoints random_result(Rng& rng, const GameOdds& odds) {
    const double at = rng.unit();
    return at < odds.win               ? HalfPoints::Win
           : at < odds.win + odds.draw ? HalfPoints::Draw
                                       : HalfPoints::Loss;
}

// Adds `pairs` pairs of games between two players. An opening is better for White than usual by
// `edge` or worse by as much, for both games of a pair.
void play(ResultTable& table, Rng& rng, const EloModel& model, std::size_t a, std::size_t b,
          double difference, int pairs, double edge) {
    for (int i = 0; i < pairs; ++i) {
        EloModel opening = model;
        opening.advantage += rng.chance(0.5) ? edge : -edge;
        table.add_pair(a, b, random_result(rng, odds_of(opening, difference)),
                       reversed(random_result(rng, odds_of(opening, -difference))));
    }
}

ResultTable round_robin(Rng& rng, const EloModel& model, const std::vector<double>& points,
                        int pairs, double edge) {
    ResultTable table;
    for (std::size_t i = 0; i < points.size(); ++i)
        table.player(std::string(1, static_cast<char>('A' + i)));
    for (std::size_t i = 0; i < points.size(); ++i) {
        for (std::size_t j = 0; j < i; ++j) {
            play(table, rng, model, i, j, points[i] - points[j], pairs, edge);
        }
    }
    return table;
}

// Share of the simulations in which the 95 % interval of a player holds its true rating.
double coverage(const EloModel& model, const std::vector<double>& points,
                const RatingOptions& options, ErrorSource source, double edge, std::uint64_t seed) {
    Rng rng(Seed{seed});
    int inside = 0;
    for (int i = 0; i < kSimulations; ++i) {
        const ResultTable table = round_robin(rng, model, points, 60, edge);
        const auto ratings = rate(table, options);
        EXPECT_TRUE(ratings);
        const auto player = static_cast<std::size_t>(i) % points.size();
        const double truth = points[player] * model.scale();
        const double error = ratings->standard_error(player, source);
        inside += std::abs(ratings->elo[player] - truth) <= interval_width(0.95) * error;
    }
    return static_cast<double>(inside) / kSimulations;
}

const std::vector<double> kPoints{-150, -20, 60, 110};  // mean 0, as ratings have

TEST(BayesElo, IntervalsHoldTheTruthAsOftenAsTheySay) {
    const double share = coverage({}, kPoints, {}, ErrorSource::Model, 0, 1);
    EXPECT_NEAR(share, 0.95, kDoubt);
}

TEST(BayesElo, IntervalsHoldTheTruthWhereTheModelIsFittedToo) {
    RatingOptions options;
    options.fit_advantage = options.fit_draw_elo = true;
    const double share = coverage({60, 200}, kPoints, options, ErrorSource::Model, 0, 2);
    EXPECT_NEAR(share, 0.95, kDoubt);
}

// Openings of very different worth make the games of a pair depend on each other: the model's
// intervals become too wide, those from pairs stay right. Between equals, because such openings
// also pull the scores of unequal players together.
TEST(BayesElo, IntervalsFromPairsHoldTheTruthForBiasedOpenings) {
    const std::vector<double> equals(4, 0.0);
    RatingOptions options;
    options.fit_draw_elo = true;
    const double pairs = coverage({}, equals, options, ErrorSource::Pairs, 250, 3);
    EXPECT_NEAR(pairs, 0.95, kDoubt);
    EXPECT_GT(coverage({}, equals, options, ErrorSource::Model, 250, 3), 0.97);
}

TEST(BayesElo, FindsAdvantageAndDrawsOfSimulatedGames) {
    Rng rng(Seed{4});
    const EloModel model{50, 150};
    const ResultTable table = round_robin(rng, model, {-100, 0, 100}, 20000, 0);
    RatingOptions options;
    options.fit_advantage = options.fit_draw_elo = true;
    const auto ratings = rate(table, options);
    ASSERT_TRUE(ratings);
    EXPECT_NEAR(ratings->model.advantage, 50, 3);
    EXPECT_NEAR(ratings->model.draw_elo, 150, 3);
    EXPECT_NEAR(ratings->elo[2], 100 * model.scale(), 4);
}

HalfPoints result_of(char c) {
    return c == '1' ? HalfPoints::Win : c == '=' ? HalfPoints::Draw : HalfPoints::Loss;
}

// Adds the games of an encounter, written as the first player's results; colours alternate.
void add_games(ResultTable& table, std::size_t first, std::size_t second, const std::string& games,
               bool first_begins_with_white) {
    for (std::size_t i = 0; i < games.size(); ++i) {
        const HalfPoints result = result_of(games[i]);
        if ((i % 2 == 0) == first_begins_with_white) {
            table.add_game(first, second, result);
        } else {
            table.add_game(second, first, reversed(result));
        }
    }
}

double white_wins(const std::string& games, bool first_begins_with_white) {
    ResultTable table;
    table.player("first");
    table.player("second");
    add_games(table, 0, 1, games, first_begins_with_white);
    return table.encounters()[0].as_white.wins() + table.encounters()[0].as_black.losses();
}

// Chess.com Computer Chess Championship 2018, stage 2: crosstable and BayesElo list of the post
// "CCCC stage 2 ended. Leela 4th with a good performance!" by Bob23, 26 September 2018. Above the
// diagonal. Who began with White is not published; but White won 80 games, and no choice gives
// more than the 81 that come out when every encounter began the way that White won more in.
TEST(BayesElo, RatesAPublishedTournamentAsBayesEloDid) {
    const std::vector<std::vector<std::string>> rows{
        {"=1=1=1=1=1", "===1=====1", "====1=====", "1=1=1=1=11", "11=11=1=1=", "=1=111===1",
         "11=11111=="},
        {"1==1==01=1", "========1=", "1==1=1====", "11=11=1==1", "=1===1=1=1", "1=1=1===1="},
        {"======0=01", "1====1===1", "1==101====", "1==1==1==1", "1==1=1=1=="},
        {"========10", "=111=0====", "11====1===", "10====101="},
        {"==0=0====1", "======1===", "1=1=10=11="},
        {"===1=1=1==", "=====0=1=="},
        {"====1====="}};
    ResultTable table;
    for (int i = 0; i < 8; ++i) table.player(std::to_string(i));
    for (std::size_t first = 0; first < rows.size(); ++first) {
        for (std::size_t i = 0; i < rows[first].size(); ++i) {
            const std::string& games = rows[first][i];
            add_games(table, first, first + 1 + i, games,
                      white_wins(games, true) >= white_wins(games, false));
        }
    }
    ASSERT_EQ(table.games(), 280);
    const auto ratings = rate(table, {});
    ASSERT_TRUE(ratings);
    const std::vector<double> published{198, 133, 102, 98, 50, 34, 11, 0};
    const std::vector<double> errors{56.5, 54.5, 53.5, 52, 53, 54.5, 53, 55};
    for (std::size_t i = 0; i < 8; ++i) {
        EXPECT_NEAR(ratings->elo[i] - ratings->elo[7], published[i], 3) << i;
        EXPECT_NEAR(interval_width(0.95) * ratings->standard_error(i, ErrorSource::Model),
                    errors[i], 2)
            << i;
    }
}

void add_match(ResultTable& table, const std::string& a, const std::string& b,
               const Tally& results) {
    const std::size_t first = table.player(a), second = table.player(b);
    table.add_uncoloured(first, second, results);
}

// Bayeselo's list for one match of 1100 games ("74%", "4%" draws, 108 Elo
// on either side, +-11), as printed in the README of markmansour/marks-chess.
TEST(BayesElo, RatesAPublishedMatchAsBayesEloDid) {
    ResultTable table;
    add_match(table, "Stockfish", "ABTTd4", {{264, 44, 792}});
    const auto ratings = rate(table, {});
    ASSERT_TRUE(ratings);
    EXPECT_NEAR(ratings->elo[0], 108, 2);  // the percentages are rounded
    EXPECT_NEAR(ratings->elo[1], -ratings->elo[0], 1e-6);
    EXPECT_NEAR(interval_width(0.95) * ratings->standard_error(0, ErrorSource::Model), 11, 1.5);
}

TEST(BayesElo, AnchorsHoldTheScale) {
    Rng rng(Seed{5});
    const EloModel model;
    ResultTable table = round_robin(rng, model, {0, 100, 250}, 3000, 0);
    RatingOptions options;
    options.anchors = {{0, 1500}, {2, 1500 + 250 * model.scale()}};
    const auto ratings = rate(table, options);
    ASSERT_TRUE(ratings);
    EXPECT_EQ(ratings->elo[0], 1500);
    EXPECT_NEAR(ratings->elo[1], 1500 + 100 * model.scale(), 8);
    EXPECT_EQ(ratings->standard_error(0, ErrorSource::Model), 0);
    EXPECT_GT(ratings->standard_error(1, ErrorSource::Model), 1);
    EXPECT_EQ(ratings->superiority(2, 0, ErrorSource::Model), 1);
}

// Ordinary Elo, whatever the draws: a player that scores 64 % against 2000 has 2100.
TEST(BayesElo, AnchoredRatingsAreOrdinaryElo) {
    for (const bool fit : {false, true}) {
        ResultTable table;
        add_match(table, "x", "2000", {{20000, 32000, 48000}});
        RatingOptions options;
        options.anchors = {{1, 2000}};
        options.fit_draw_elo = fit;
        const auto ratings = rate(table, options);
        ASSERT_TRUE(ratings);
        EXPECT_NEAR(ratings->elo[0], 2100, 8) << fit;
    }
}

TEST(BayesElo, DoesNotDependOnTheOrderOfPlayers) {
    Rng rng(Seed{6});
    const ResultTable table = round_robin(rng, {}, kPoints, 30, 0);
    ResultTable reversed_table;
    for (std::size_t i = 4; i-- > 0;) reversed_table.player(table.names()[i]);
    for (const Encounter& games : table.encounters()) {
        for (std::size_t white = 0; white < 3; ++white) {
            for (std::size_t black = 0; black < 3; ++black) {
                for (int n = 0; n < games.pairs[white][black]; ++n) {
                    reversed_table.add_pair(3 - games.first, 3 - games.second,
                                            static_cast<HalfPoints>(white),
                                            static_cast<HalfPoints>(black));
                }
            }
        }
    }
    const auto a = rate(table, {}), b = rate(reversed_table, {});
    ASSERT_TRUE(a && b);
    for (std::size_t i = 0; i < 4; ++i) {
        EXPECT_NEAR(a->elo[i], b->elo[3 - i], 1e-6);
        for (const ErrorSource source : {ErrorSource::Model, ErrorSource::Pairs}) {
            EXPECT_NEAR(a->standard_error(i, source), b->standard_error(3 - i, source), 1e-6);
        }
    }
}

// A chain of 60 players, each beating the next: where minorisation-maximisation alone is slow.
TEST(BayesElo, ConvergesOnLongChains) {
    ResultTable table;
    for (int i = 0; i < 60; ++i) table.player(std::to_string(i));
    for (std::size_t i = 0; i + 1 < 60; ++i) table.add_uncoloured(i, i + 1, {{20, 20, 60}});
    RatingOptions options;
    options.prior_draws = 1e-6;
    const auto ratings = rate(table, options);
    ASSERT_TRUE(ratings);
    const double step = ratings->elo[0] - ratings->elo[1];
    for (std::size_t i = 0; i + 1 < 60; ++i) {
        EXPECT_NEAR(ratings->elo[i] - ratings->elo[i + 1], step, 1e-3) << i;
    }
}

TEST(BayesElo, GroupsThatNeverMetAreAnError) {
    ResultTable table;
    add_match(table, "a", "b", {{0, 0, 1}});
    add_match(table, "c", "d", {{0, 0, 1}});
    const auto ratings = rate(table, {});
    ASSERT_FALSE(ratings);
    EXPECT_EQ(ratings.error().message, "no chain of games joins 'c' and 'a'");
    RatingOptions anchored;
    anchored.anchors = {{0, 0}, {3, 100}};
    EXPECT_TRUE(rate(table, anchored));
}

TEST(BayesElo, WithoutPriorAPerfectScoreIsAnErrorNotANumber) {
    ResultTable table;
    add_match(table, "a", "b", {{0, 0, 10}});
    RatingOptions options;
    options.prior_draws = 0;
    EXPECT_FALSE(rate(table, options));
    options.prior_draws = 2;
    EXPECT_TRUE(rate(table, options));
    // Virtual draws and wins alone: more strength and more draws explain them ever better.
    options.fit_draw_elo = true;
    EXPECT_FALSE(rate(table, options));
    EXPECT_FALSE(rate(ResultTable(), {}));
}

}  // namespace
}  // namespace solis::lab
