// The log-posterior of ratings with its derivatives, and one step of minorisation-maximisation.
//
// With u = d - draw and v = d + draw, where d = White's rating - Black's + advantage, and s the
// logistic function, P(win) = s(u), P(loss) = s(-v), P(draw) = (e^(2 draw) - 1) s(u) s(-v). So
//   log L = (wins + draws) log s(u) + (losses + draws) log s(-v) + draws log(e^(2 draw) - 1).
#include "solis/lab/rating/posterior.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace solis::lab {
namespace {

double log_logistic(double x) {
    return x >= 0 ? -std::log1p(std::exp(-x)) : x - std::log1p(std::exp(x));
}

double logistic_slope(double x) { return logistic(x) * logistic(-x); }

// Virtual draws that a player brings into its games with one opponent.
double prior_share(const Encounter& games, double games_of_player, bool is_free, double prior) {
    return is_free ? prior / 2 * games.all().games() / games_of_player : 0;
}

}  // namespace

Posterior::ColouredGames Posterior::coloured(std::size_t white, std::size_t black,
                                             const Tally& white_results) {
    return {white, black, white_results.wins() + white_results.draws(),
            white_results.losses() + white_results.draws(), white_results.draws()};
}

Posterior::Posterior(const ResultTable& table, const RatingOptions& options)
    : table_(table), places_(table.names().size(), 0) {
    for (const Anchor& anchor : options.anchors) places_[anchor.player] = kNone;
    for (std::size_t& place : places_) {
        if (place != kNone) place = free_players_++;
    }
    parameter_count_ = free_players_;
    if (options.fit_advantage) advantage_place_ = parameter_count_++;
    if (options.fit_draw_elo) draw_place_ = parameter_count_++;

    std::vector<double> totals(places_.size());
    for (const Encounter& games : table.encounters()) {
        totals[games.first] += games.all().games();
        totals[games.second] += games.all().games();
    }
    for (const Encounter& games : table.encounters()) {
        const double prior =
            prior_share(games, totals[games.first], is_free(games.first), options.prior_draws) +
            prior_share(games, totals[games.second], is_free(games.second), options.prior_draws);
        Tally white = games.as_white, black = games.as_black.seen_from_the_other_side();
        white[HalfPoints::Draw] += prior / 2;
        black[HalfPoints::Draw] += prior / 2;
        games_.push_back(coloured(games.first, games.second, white));
        games_.push_back(coloured(games.second, games.first, black));
    }
}

double Posterior::value(const PosteriorPoint& at) const {
    const double draw_factor = std::log(std::expm1(2 * at.draw));
    double sum = 0;
    for (const ColouredGames& games : games_) {
        const double d = at.ratings[games.white] - at.ratings[games.black] + at.advantage;
        sum += games.white_holds * log_logistic(d - at.draw) +
               games.black_holds * log_logistic(-d - at.draw);
        if (games.draws > 0) sum += games.draws * draw_factor;
    }
    return sum;
}

Derivatives Posterior::derivatives(const PosteriorPoint& at) const {
    Derivatives sum{std::vector<double>(parameter_count_), SymmetricMatrix(parameter_count_)};
    const double growth = std::expm1(2 * at.draw);
    for (const ColouredGames& games : games_) {
        const double d = at.ratings[games.white] - at.ratings[games.black] + at.advantage;
        const double white_bend = games.white_holds * logistic_slope(d - at.draw);
        const double black_bend = games.black_holds * logistic_slope(d + at.draw);
        const Slopes slope = slopes(games, at);
        const std::array<std::pair<std::size_t, double>, 3> sides{
            {{places_[games.white], 1}, {places_[games.black], -1}, {advantage_place_, 1}}};
        for (std::size_t i = 0; i < sides.size(); ++i) {
            const auto [place, sign] = sides[i];
            if (place == kNone) continue;
            sum.gradient[place] += sign * slope.rating;
            for (std::size_t j = 0; j <= i; ++j) {
                if (sides[j].first == kNone) continue;
                sum.curvature.add(place, sides[j].first,
                                  sign * sides[j].second * (white_bend + black_bend));
            }
            if (draw_place_ == kNone) continue;
            sum.curvature.add(place, draw_place_, sign * (black_bend - white_bend));
        }
        if (draw_place_ == kNone) continue;
        sum.gradient[draw_place_] += slope.draw;
        sum.curvature.add(
            draw_place_, draw_place_,
            white_bend + black_bend + games.draws * 4 * (growth + 1) / (growth * growth));
    }
    return sum;
}

Posterior::Slopes Posterior::slopes(const ColouredGames& games, const PosteriorPoint& at) const {
    const double d = at.ratings[games.white] - at.ratings[games.black] + at.advantage;
    const double white = games.white_holds * logistic(at.draw - d);
    const double black = games.black_holds * logistic(at.draw + d);
    const double growth = std::expm1(2 * at.draw);
    return {white - black, games.draws * 2 * (growth + 1) / growth - white - black};
}

void Posterior::move(PosteriorPoint& point, const std::vector<double>& step, double factor) const {
    constexpr double kSmallestDraw = 1e-6;  // 0 would make draws impossible
    for (std::size_t player = 0; player < places_.size(); ++player) {
        if (is_free(player)) point.ratings[player] += factor * step[places_[player]];
    }
    if (advantage_place_ != kNone) point.advantage += factor * step[advantage_place_];
    if (draw_place_ != kNone) {
        point.draw = std::max(kSmallestDraw, point.draw + factor * step[draw_place_]);
    }
}

// Each rating is raised by the logarithm of successes over expected successes.
double Posterior::minorise_maximise(PosteriorPoint& point) const {
    std::vector<double> successes(places_.size()), expected(places_.size());
    for (const ColouredGames& games : games_) {
        const double d = point.ratings[games.white] - point.ratings[games.black] + point.advantage;
        const double holds = games.white_holds, fails = games.black_holds;
        successes[games.white] += holds;
        successes[games.black] += fails;
        const double white = holds * logistic(d - point.draw) + fails * logistic(d + point.draw);
        expected[games.white] += white;
        expected[games.black] += holds + fails - white;
    }
    double largest = 0;
    for (std::size_t player = 0; player < places_.size(); ++player) {
        if (!is_free(player) || expected[player] == 0) continue;
        const double change = std::log(successes[player] / expected[player]);
        point.ratings[player] += change;
        largest = std::max(largest, std::abs(change));
    }
    if (advantage_place_ != kNone) largest = std::max(largest, update_advantage(point));
    if (draw_place_ != kNone) largest = std::max(largest, update_draw(point));
    return largest;
}

double Posterior::update_advantage(PosteriorPoint& point) const {
    double successes = 0, expected = 0;
    for (const ColouredGames& games : games_) {
        const double d = point.ratings[games.white] - point.ratings[games.black] + point.advantage;
        successes += games.white_holds;
        expected += games.white_holds * logistic(d - point.draw) +
                    games.black_holds * logistic(d + point.draw);
    }
    const double change = std::log(successes / expected);
    point.advantage += change;
    return std::abs(change);
}

double Posterior::update_draw(PosteriorPoint& point) const {
    double draws = 0, missed = 0;
    for (const ColouredGames& games : games_) {
        const double d = point.ratings[games.white] - point.ratings[games.black] + point.advantage;
        draws += games.draws;
        missed += games.white_holds * logistic(point.draw - d) +
                  games.black_holds * logistic(point.draw + d);
    }
    const double ratio = draws * std::exp(point.draw) / missed;
    const double updated = std::log(ratio + std::sqrt(ratio * ratio + 1));
    const double change = std::abs(updated - point.draw);
    point.draw = updated;
    return change;
}

void Posterior::add_scatter(SymmetricMatrix& sum, const Encounter& games, const Slopes& as_white,
                            const Slopes& as_black, double count) const {
    if (count <= 0) return;
    const double own = as_white.rating - as_black.rating;
    const std::array<std::pair<std::size_t, double>, 4> parts{
        {{places_[games.first], own},
         {places_[games.second], -own},
         {advantage_place_, as_white.rating + as_black.rating},
         {draw_place_, as_white.draw + as_black.draw}}};
    for (std::size_t i = 0; i < parts.size(); ++i) {
        for (std::size_t j = 0; j <= i; ++j) {
            if (parts[i].first == kNone || parts[j].first == kNone) continue;
            sum.add(parts[i].first, parts[j].first, count * parts[i].second * parts[j].second);
        }
    }
}

SymmetricMatrix Posterior::scatter(const PosteriorPoint& at) const {
    SymmetricMatrix sum(parameter_count_);
    for (const Encounter& games : table_.encounters()) {
        std::array<Slopes, 3> white, black;  // by the result of `first`
        for (std::size_t result = 0; result < 3; ++result) {
            Tally one;
            one.counts[result] = 1;
            white[result] = slopes(coloured(games.first, games.second, one), at);
            black[result] =
                slopes(coloured(games.second, games.first, one.seen_from_the_other_side()), at);
        }
        const Tally single_white = games.single_as_white(), single_black = games.single_as_black();
        for (std::size_t i = 0; i < 3; ++i) {
            add_scatter(sum, games, white[i], {}, single_white.counts[i]);
            add_scatter(sum, games, {}, black[i], single_black.counts[i]);
            for (std::size_t j = 0; j < 3; ++j) {
                add_scatter(sum, games, white[i], black[j], games.pairs[i][j]);
            }
        }
    }
    return sum;
}

}  // namespace solis::lab
