// Ratings by the BayesElo model: the most likely ratings given all games, and how sure they are.
#include "solis/lab/rating/bayes_elo.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include "solis/base/text.h"
#include "solis/lab/rating/distributions.h"
#include "solis/lab/rating/posterior.h"

namespace solis::lab {
namespace {

constexpr double kHighest = 20'000 * kLogPerElo;  // a rating beyond has no bound

// Number of the group of players, joined by games, that each player belongs to.
std::vector<std::size_t> groups_of(const ResultTable& table) {
    std::vector<std::size_t> leader(table.names().size());
    std::iota(leader.begin(), leader.end(), std::size_t{0});
    const auto find = [&](std::size_t player) {
        while (leader[player] != player) player = leader[player] = leader[leader[player]];
        return player;
    };
    for (const Encounter& games : table.encounters())
        leader[find(games.first)] = find(games.second);
    for (std::size_t player = 0; player < leader.size(); ++player) leader[player] = find(player);
    return leader;
}

// Ratings of a group are comparable to those of another only through anchors.
Result<void> check_groups(const ResultTable& table, const RatingOptions& options) {
    const std::vector<std::size_t> groups = groups_of(table);
    std::vector<bool> anchored(groups.size());
    for (const Anchor& anchor : options.anchors) anchored[groups[anchor.player]] = true;
    if (options.anchors.empty()) anchored[groups[0]] = true;
    for (std::size_t player = 0; player < groups.size(); ++player) {
        if (anchored[groups[player]]) continue;
        const std::size_t other = options.anchors.empty() ? 0 : options.anchors[0].player;
        return fail(fmt::format("no chain of games joins {} and {}",
                                in_quotes(table.names()[player]), in_quotes(table.names()[other])),
                    "rate the groups apart, or anchor a player of each");
    }
    return {};
}

Result<void> check(const ResultTable& table, const RatingOptions& options) {
    if (table.encounters().empty()) return fail("there are no games with a result to rate");
    if (table.names().size() > kMostRatedPlayers) {
        return fail(fmt::format("{} players, at most {} can be rated at once", table.names().size(),
                                kMostRatedPlayers),
                    "keep the games of some players, for example with pgn tools");
    }
    return check_groups(table, options);
}

// Makes the curvature regular where only differences of ratings are determined: their mean is given
// the curvature `weight`, which does not change anything else.
void fix_mean(SymmetricMatrix& curvature, const Posterior& posterior, std::size_t players,
              double weight) {
    const double each = weight / static_cast<double>(players);
    for (std::size_t i = 0; i < players; ++i) {
        for (std::size_t j = 0; j <= i; ++j) {
            curvature.add(posterior.place(i), posterior.place(j), each);
        }
    }
}

// The inverse of the curvature where the mean of the ratings is 0 or anchors hold them.
std::optional<SymmetricMatrix> inverse_curvature(SymmetricMatrix curvature,
                                                 const Posterior& posterior, std::size_t players) {
    if (posterior.has_anchors()) return curvature.inverse();
    double weight = 0;
    for (std::size_t i = 0; i < players; ++i) weight += curvature(i, i);
    weight /= static_cast<double>(players);
    fix_mean(curvature, posterior, players, weight);
    auto inverse = curvature.inverse();
    if (inverse) fix_mean(*inverse, posterior, players, -1 / weight);
    return inverse;
}

bool is_bounded(const PosteriorPoint& point) {
    return std::all_of(point.ratings.begin(), point.ratings.end(),
                       [](double rating) { return std::abs(rating) < kHighest; });
}

tl::unexpected<Error> no_bound() {
    return fail(
        "nothing bounds the most likely ratings (or the fitted advantage or drawelo): some "
        "players never lost or never won, or one colour always won",
        "use a prior (--prior 2), fit less, or play more games");
}

// Newton's method with halving: converges from anywhere, because the posterior is concave.
Result<SymmetricMatrix> climb(const Posterior& posterior, PosteriorPoint& point) {
    constexpr int kMostSteps = 200;
    for (int step = 0; step < kMostSteps; ++step) {
        const Derivatives at = posterior.derivatives(point);
        auto inverse = inverse_curvature(at.curvature, posterior, point.ratings.size());
        if (!inverse || !is_bounded(point)) return no_bound();
        const std::vector<double> direction = inverse->times(at.gradient);
        double largest = 0;
        for (const double change : direction) largest = std::max(largest, std::abs(change));
        if (largest < 1e-10) return *inverse;
        const double before = posterior.value(point);
        for (double factor = 1; factor > 1e-6; factor /= 2) {
            PosteriorPoint tried = point;
            posterior.move(tried, direction, factor);
            if (posterior.value(tried) < before - 1e-12 * std::abs(before)) continue;
            point = tried;
            break;
        }
    }
    return no_bound();
}

void centre(PosteriorPoint& point) {
    const double mean = std::accumulate(point.ratings.begin(), point.ratings.end(), 0.0) /
                        static_cast<double>(point.ratings.size());
    for (double& rating : point.ratings) rating -= mean;
}

// Brings the point near the top by minorisation-maximisation, then to it.
Result<SymmetricMatrix> maximise(const Posterior& posterior, PosteriorPoint& point) {
    constexpr int kMostSteps = 1000;
    for (int step = 0; step < kMostSteps; ++step) {
        const double change = posterior.minorise_maximise(point);
        if (!std::isfinite(change) || !is_bounded(point)) return no_bound();
        if (change < 1e-3) break;
    }
    if (!posterior.has_anchors()) centre(point);
    auto inverse = climb(posterior, point);
    if (inverse && !posterior.has_anchors()) centre(point);
    return inverse;
}

double pairs_and_single_games(const ResultTable& table) {
    double count = 0;
    for (const Encounter& games : table.encounters()) {
        count += games.all().games() - games.pair_count();
    }
    return count;
}

// Matrix of parameters -> matrix of all players, in Elo.
SymmetricMatrix in_elo(const SymmetricMatrix& parameters, const Posterior& posterior,
                       std::size_t players, double elo_per_unit) {
    SymmetricMatrix elo(players);
    for (std::size_t i = 0; i < players; ++i) {
        for (std::size_t j = 0; j <= i; ++j) {
            if (!posterior.is_free(i) || !posterior.is_free(j)) continue;
            elo.add(
                i, j,
                elo_per_unit * elo_per_unit * parameters(posterior.place(i), posterior.place(j)));
        }
    }
    return elo;
}

// B M B for the inverse curvature B and the scatter M of pairs: the variance of the estimate
// whatever the games' own distribution is.
SymmetricMatrix sandwich(const SymmetricMatrix& inverse, const SymmetricMatrix& scatter,
                         double clusters) {
    const std::size_t n = inverse.size();
    const double correction = clusters > 1 ? clusters / (clusters - 1) : 1;
    SymmetricMatrix result(n);
    std::vector<std::vector<double>> rows;  // of M B
    for (std::size_t j = 0; j < n; ++j) {
        std::vector<double> column(n);
        for (std::size_t i = 0; i < n; ++i) column[i] = inverse(i, j);
        rows.push_back(scatter.times(column));
    }
    for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = 0; j <= i; ++j) {
            double sum = 0;
            for (std::size_t k = 0; k < n; ++k) sum += inverse(i, k) * rows[j][k];
            result.add(i, j, correction * sum);
        }
    }
    return result;
}

void place_anchors(PosteriorPoint& point, const RatingOptions& options, double elo_per_unit) {
    for (const Anchor& anchor : options.anchors) {
        point.ratings[anchor.player] = anchor.elo / elo_per_unit;
    }
}

// Elo of one unit of the posterior.
double elo_per_unit(const PosteriorPoint& point) {
    return EloModel{0, point.draw / kLogPerElo}.scale() / kLogPerElo;
}

}  // namespace

Result<Ratings> rate(const ResultTable& table, const RatingOptions& options) {
    if (const auto ok = check(table, options); !ok) return tl::unexpected(ok.error());
    const std::size_t players = table.names().size();
    const Posterior posterior(table, options);
    PosteriorPoint point{std::vector<double>(players), options.model.advantage * kLogPerElo,
                         std::max(options.model.draw_elo, 1e-3) * kLogPerElo};

    // Anchors are given in Elo, whose worth in points depends on draw_elo: where that is fitted,
    // both are settled by turns.
    constexpr int kMostTurns = 100;
    SymmetricMatrix inverse;
    for (int turn = 0; turn < kMostTurns; ++turn) {
        const double unit = elo_per_unit(point);
        place_anchors(point, options, unit);
        auto found = maximise(posterior, point);
        if (!found) return tl::unexpected(found.error());
        inverse = *std::move(found);
        if (options.anchors.empty() || std::abs(elo_per_unit(point) / unit - 1) < 1e-9) break;
    }

    const double unit = elo_per_unit(point);
    Ratings ratings{
        {point.advantage / kLogPerElo, point.draw / kLogPerElo},
        point.ratings,
        std::vector<bool>(players),
        in_elo(inverse, posterior, players, unit),
        in_elo(sandwich(inverse, posterior.scatter(point), pairs_and_single_games(table)),
               posterior, players, unit)};
    for (double& rating : ratings.elo) rating *= unit;
    for (const Anchor& anchor : options.anchors) {
        ratings.anchored[anchor.player] = true;
        ratings.elo[anchor.player] = anchor.elo;
    }
    return ratings;
}

double Ratings::standard_error(std::size_t player, ErrorSource source) const {
    return std::sqrt(std::max(0.0, covariance(source)(player, player)));
}

double Ratings::superiority(std::size_t a, std::size_t b, ErrorSource source) const {
    const SymmetricMatrix& cov = covariance(source);
    const double variance = std::max(0.0, cov(a, a) + cov(b, b) - 2 * cov(a, b));
    const double difference = elo[a] - elo[b];
    if (variance == 0) return difference > 0 ? 1 : difference < 0 ? 0 : 0.5;
    return normal_cdf(difference / std::sqrt(variance));
}

GameOdds Ratings::odds(std::size_t white, std::size_t black) const {
    return odds_of(model, (elo[white] - elo[black]) / model.scale());
}

}  // namespace solis::lab
