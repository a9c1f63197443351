// Do the results behave as ratings say? A rating is worth quoting only if they do.
#include "solis/lab/rating/ladder_fit.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

#include <fmt/format.h>

#include "solis/lab/rating/distributions.h"

namespace solis::lab {
namespace {

constexpr std::size_t kFewestOpponents = 3;
constexpr double kSmallestSpread = 100;  // Elo between the weakest and the strongest opponent
constexpr double kDeviation = 3;         // standard errors that chance does not explain
constexpr double kImprobable = 0.001;

// One opponent of a ladder.
struct Rung {
    double elo = 0;
    double score = 0;     // 0..1
    double expected = 0;  // by the ratings
    double weight = 0;    // 1 / variance of the score
};

// Variance of the mean score, by pairs where games are paired. A sample without spread still leaves
// half a point in doubt.
double score_variance(const Encounter& games) {
    const double error = estimate(games.as_match()).value().error;
    const double variance = std::pow(std::max(error, 0.5 / games.all().games()), 2);
    // The spread is estimated from the same few games: the square of Student's t has the mean
    // (n - 1) / (n - 3), where chi-square takes 1.
    const double n = games.all().games() - games.pair_count();  // a pair counts once
    return n > 4 ? variance * (n - 1) / (n - 3) : 3 * variance;
}

double expected_score(const Encounter& games, const Ratings& ratings) {
    const double with_white = ratings.odds(games.first, games.second).score();
    const double with_black = 1 - ratings.odds(games.second, games.first).score();
    const double white = games.as_white.games(), black = games.as_black.games();
    return (white * with_white + black * with_black) / (white + black);
}

Rung rung_of(const Encounter& games, const Ratings& ratings) {
    const Tally all = games.all();
    return {ratings.elo[games.second], all.points() / all.games(), expected_score(games, ratings),
            1 / score_variance(games)};
}

double variance_of(const GameOdds& odds) {
    return odds.win + odds.draw / 4 - odds.score() * odds.score();
}

// Variance of the points of all games, by the model.
double points_variance(const Encounter& games, const Ratings& ratings) {
    return games.as_white.games() * variance_of(ratings.odds(games.first, games.second)) +
           games.as_black.games() * variance_of(ratings.odds(games.second, games.first));
}

// Squared differences of like things from their own mean, and what the model says of them.
struct Scatter {
    double squares = 0;
    double expected = 0;
    double freedom = 0;

    // `counts` by half points; each thing has the variance `variance` in points.
    void add(std::span<const double> counts, double variance) {
        double count = 0, sum = 0, sum_of_squares = 0;
        for (std::size_t half_points = 0; half_points < counts.size(); ++half_points) {
            const double points = static_cast<double>(half_points) / 2;
            count += counts[half_points];
            sum += counts[half_points] * points;
            sum_of_squares += counts[half_points] * points * points;
        }
        if (count <= 1) return;
        squares += sum_of_squares - sum * sum / count;
        expected += (count - 1) * variance;
        freedom += count - 1;
    }
};

// How much more the results scatter than the model says: openings that favour a side make less of
// it in pairs, other shares of draws more or less. One number for all encounters, because that of a
// few games alone is mostly chance (a sweep has none).
double dispersion(const ResultTable& table, const Ratings& ratings) {
    constexpr double kLeastFreedom = 10;
    Scatter scatter;
    for (const Encounter& games : table.encounters()) {
        const double white = variance_of(ratings.odds(games.first, games.second));
        const double black = variance_of(ratings.odds(games.second, games.first));
        std::array<double, 5> pairs{};
        for (std::size_t i = 0; i < 3; ++i) {
            for (std::size_t j = 0; j < 3; ++j) pairs[i + j] += games.pairs[i][j];
        }
        scatter.add(pairs, white + black);
        scatter.add(games.single_as_white().counts, white);
        scatter.add(games.single_as_black().counts, black);
    }
    const bool is_known = scatter.freedom >= kLeastFreedom && scatter.squares > 0;
    return is_known ? scatter.squares / scatter.expected : 1;
}

template <class Value>
double weighted_mean(const std::vector<Rung>& rungs, Value value) {
    double sum = 0, weights = 0;
    for (const Rung& rung : rungs) {
        sum += rung.weight * value(rung);
        weights += rung.weight;
    }
    return sum / weights;
}

template <class Value>
double slope_of(const std::vector<Rung>& rungs, Value value, double spread) {
    const double elo = weighted_mean(rungs, [](const Rung& rung) { return rung.elo; });
    double sum = 0;
    for (const Rung& rung : rungs) sum += rung.weight * (rung.elo - elo) * value(rung);
    return sum / spread;
}

LadderFit fit_ladder(std::size_t player, const std::vector<Rung>& rungs) {
    constexpr double kPointsPer100Elo = 100 * 100;
    const auto score = [](const Rung& rung) { return rung.score; };
    const double elo = weighted_mean(rungs, [](const Rung& rung) { return rung.elo; });
    const double mean = weighted_mean(rungs, score);
    double spread = 0;
    LadderFit fit;
    for (const Rung& rung : rungs) {
        spread += rung.weight * (rung.elo - elo) * (rung.elo - elo);
        fit.as_rated.value += rung.weight * std::pow(rung.score - rung.expected, 2);
        fit.constant.value += rung.weight * std::pow(rung.score - mean, 2);
    }
    fit.player = player;
    fit.opponents = rungs.size();
    fit.as_rated.df = fit.constant.df = static_cast<double>(rungs.size() - 1);
    fit.slope = kPointsPer100Elo * slope_of(rungs, score, spread);
    fit.expected_slope =
        kPointsPer100Elo * slope_of(
                               rungs, [](const Rung& rung) { return rung.expected; }, spread);
    fit.slope_error = kPointsPer100Elo / std::sqrt(spread);
    return fit;
}

std::vector<Rung> rungs_of(const ResultTable& table, const Ratings& ratings, std::size_t player) {
    std::vector<Rung> rungs;
    for (const Encounter& games : table.encounters_of(player)) {
        rungs.push_back(rung_of(games, ratings));
    }
    return rungs;
}

bool is_ladder(const std::vector<Rung>& rungs) {
    if (rungs.size() < kFewestOpponents) return false;
    const auto [low, high] = std::minmax_element(
        rungs.begin(), rungs.end(), [](const Rung& a, const Rung& b) { return a.elo < b.elo; });
    return high->elo - low->elo >= kSmallestSpread;
}

void count_draws(const ResultTable& table, const Ratings& ratings, GoodnessOfFit& fit) {
    double all = 0, variance = 0;
    for (const Encounter& games : table.encounters()) {
        const double white = games.as_white.games(), black = games.as_black.games();
        const double as_white = ratings.odds(games.first, games.second).draw;
        const double as_black = ratings.odds(games.second, games.first).draw;
        fit.draws += games.all().draws();
        fit.expected_draws += white * as_white + black * as_black;
        variance += white * as_white * (1 - as_white) + black * as_black * (1 - as_black);
        all += white + black;
    }
    fit.draws /= all;
    fit.expected_draws /= all;
    fit.draws_error = std::sqrt(variance) / all;
}

std::string p_text(double p) { return p < 1e-12 ? "p < 1e-12" : fmt::format("p = {:.2g}", p); }

std::string chi_square_text(const ChiSquare& chi) {
    return fmt::format("chi-square {:.0f} on {:.0f} degrees of freedom, {}", chi.value, chi.df,
                       p_text(chi.p()));
}

std::string change_text(double slope) {
    return fmt::format("{} by {:.1f} points", slope <= 0 ? "falls" : "rises", std::abs(slope));
}

}  // namespace

double ChiSquare::tail() const { return df > 0 ? chi_square_tail(value, df) : 1; }

double LadderFit::deviation() const { return (slope - expected_slope) / slope_error; }

ChiSquare chi_square_of(const ResultTable& table, const Ratings& ratings) {
    ChiSquare chi;
    for (const Encounter& games : table.encounters()) {
        const Tally all = games.all();
        const double away = all.points() - all.games() * expected_score(games, ratings);
        chi.value += away * away / points_variance(games, ratings);
    }
    chi.value /= dispersion(table, ratings);
    double free = 0;
    for (const bool anchored : ratings.anchored) free += anchored ? 0 : 1;
    if (free == static_cast<double>(ratings.anchored.size())) free -= 1;  // the mean is given
    chi.df = std::max(0.0, static_cast<double>(table.encounters().size()) - free);
    return chi;
}

GoodnessOfFit check_fit(const ResultTable& table, const Ratings& ratings) {
    GoodnessOfFit fit;
    fit.results = chi_square_of(table, ratings);
    for (std::size_t player = 0; player < table.names().size(); ++player) {
        if (ratings.anchored[player]) continue;
        const std::vector<Rung> rungs = rungs_of(table, ratings, player);
        if (is_ladder(rungs)) fit.ladders.push_back(fit_ladder(player, rungs));
    }
    count_draws(table, ratings, fit);
    return fit;
}

std::vector<std::string> ladder_warnings(const LadderFit& ladder, const std::string& name) {
    std::vector<std::string> warnings;
    if (std::abs(ladder.deviation()) > kDeviation) {
        warnings.push_back(fmt::format(
            "{}: the score {} per 100 Elo of the opponent; the rating model expects it to fall by "
            "{:.1f} ({:.0f} standard errors away). These opponents' ratings are not on a common "
            "scale: do not quote the Elo",
            name, change_text(ladder.slope), -ladder.expected_slope, std::abs(ladder.deviation())));
        if (ladder.as_rated.p() < kImprobable && ladder.constant.p() > 0.01) {
            warnings.push_back(fmt::format(
                "{}: one and the same score against every opponent explains the results ({}), the "
                "ratings do not ({}): the Elo only repeats which opponents were chosen",
                name, chi_square_text(ladder.constant), chi_square_text(ladder.as_rated)));
        }
    }
    return warnings;
}

std::vector<std::string> fit_warnings(const ResultTable& table, const Ratings& ratings,
                                      const GoodnessOfFit& fit) {
    std::vector<std::string> warnings;
    for (const LadderFit& ladder : fit.ladders) {
        for (std::string& warning : ladder_warnings(ladder, table.names()[ladder.player])) {
            warnings.push_back(std::move(warning));
        }
    }
    if (fit.results.p() < kImprobable) {
        warnings.push_back(fmt::format(
            "the results are further from what the ratings predict than chance allows ({}): one "
            "number per player does not describe these games",
            chi_square_text(fit.results)));
    }
    if (std::abs(fit.draws - fit.expected_draws) > 5 * fit.draws_error &&
        std::abs(fit.draws - fit.expected_draws) > 0.1) {
        warnings.push_back(
            fmt::format("{:.0f} % of the games are draws, drawelo {:.1f} expects {:.0f} %: fit it "
                        "(--fit-drawelo), the intervals of the model are off",
                        100 * fit.draws, ratings.model.draw_elo, 100 * fit.expected_draws));
    }
    return warnings;
}

}  // namespace solis::lab
