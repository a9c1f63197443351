// Besag and Clifford's sequential p: simulate until enough are as far off, and not longer.
#include "solis/lab/rating/simulated_fit.h"

#include <algorithm>
#include <cmath>

namespace solis::lab {
namespace {

constexpr std::size_t kMostPlayers = 60;
constexpr double kMostGames = 20'000;
constexpr double kMostSimulatedGames = 2e7;  // seconds

bool is_whole(double count) { return count == std::floor(count); }

bool can_be_simulated(const ResultTable& table, const ChiSquare& observed) {
    if (observed.df <= 0) return false;
    if (table.names().size() > kMostPlayers || table.games() > kMostGames) return false;
    for (const Encounter& games : table.encounters()) {
        if (!is_whole(games.as_white.games()) || !is_whole(games.as_black.games())) return false;
    }
    return true;
}

HalfPoints draw_result(Rng& rng, const GameOdds& odds) {
    const double at = rng.unit();
    if (at < odds.win) return HalfPoints::Win;
    return at < odds.win + odds.draw ? HalfPoints::Draw : HalfPoints::Loss;
}

// The same encounters with results that the ratings make.
ResultTable play_again(const ResultTable& table, const Ratings& ratings, Rng& rng) {
    ResultTable again;
    for (const std::string& name : table.names()) (void)again.player(name);
    for (const Encounter& games : table.encounters()) {
        const std::size_t a = games.first, b = games.second;
        const GameOdds with_white = ratings.odds(a, b), against_white = ratings.odds(b, a);
        for (double i = games.pair_count(); i > 0; --i) {
            const HalfPoints first = draw_result(rng, with_white);
            again.add_pair(a, b, first, reversed(draw_result(rng, against_white)));
        }
        for (double i = games.single_as_white().games(); i > 0; --i) {
            again.add_game(a, b, draw_result(rng, with_white));
        }
        for (double i = games.single_as_black().games(); i > 0; --i) {
            again.add_game(b, a, draw_result(rng, against_white));
        }
    }
    return again;
}

}  // namespace

std::optional<double> simulate_p(const ResultTable& table, const Ratings& ratings,
                                 const RatingOptions& options, const ChiSquare& observed,
                                 const SimulationOptions& simulation) {
    if (!can_be_simulated(table, observed)) return std::nullopt;
    Rng rng(simulation.seed);
    const double bar = observed.value * (1 - 1e-9);  // equal results are as far off
    const int most =
        std::min(simulation.most, static_cast<int>(kMostSimulatedGames / table.games()));
    int reached = 0;
    for (int done = 1; done <= most; ++done) {
        const ResultTable again = play_again(table, ratings, rng);
        const auto rated = rate(again, options);
        if (!rated) return std::nullopt;  // without a prior a clean sweep has no rating
        reached += chi_square_of(again, *rated).value >= bar;
        if (reached == simulation.enough) return static_cast<double>(reached) / done;
    }
    return (reached + 1.0) / (most + 1.0);
}

}  // namespace solis::lab
