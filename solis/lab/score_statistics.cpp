// Elo with pentanomial error.
#include "solis/lab/score_statistics.h"

#include <algorithm>
#include <cmath>

namespace solis::lab {

ScoreCount ScoreCount::reversed() const {
    ScoreCount other = *this;
    std::swap(other.wins, other.losses);
    std::reverse(other.pairs.begin(), other.pairs.end());
    std::reverse(other.singles.begin(), other.singles.end());
    return other;
}

ScoreCount& ScoreCount::operator+=(const ScoreCount& other) {
    wins += other.wins;
    draws += other.draws;
    losses += other.losses;
    for (std::size_t i = 0; i < pairs.size(); ++i) pairs[i] += other.pairs[i];
    for (std::size_t i = 0; i < singles.size(); ++i) singles[i] += other.singles[i];
    return *this;
}

ScoreCount count_of_pairs(const std::array<std::uint64_t, 5>& pairs) {
    ScoreCount count;
    count.pairs = pairs;
    count.losses = 2 * pairs[0] + pairs[1];
    count.draws = pairs[1] + 2 * pairs[2] + pairs[3];
    count.wins = pairs[3] + 2 * pairs[4];
    return count;
}

ScoreCount count_of_games(std::uint64_t wins, std::uint64_t draws, std::uint64_t losses) {
    return {wins, draws, losses, {}, {losses, draws, wins}};
}

double elo_from_score(double score) { return 400 * std::log10(score / (1 - score)); }

double score_from_elo(double elo) { return 1 / (1 + std::pow(10, -elo / 400)); }

std::optional<ScoreEstimate> estimate(const ScoreCount& count) {
    const auto games = static_cast<double>(count.games());
    if (games == 0) return std::nullopt;
    ScoreEstimate result;
    result.score = count.points() / games;
    // Squared deviations of independent units, each in points of the whole unit.
    double squares = 0;
    const auto add = [&](std::uint64_t times, double points, double games_of_unit) {
        const double deviation = points - games_of_unit * result.score;
        squares += static_cast<double>(times) * deviation * deviation;
    };
    for (std::size_t i = 0; i < 5; ++i) add(count.pairs[i], 0.5 * static_cast<double>(i), 2);
    for (std::size_t i = 0; i < 3; ++i) add(count.singles[i], 0.5 * static_cast<double>(i), 1);
    result.error = std::sqrt(squares) / games;
    result.elo = elo_from_score(result.score);
    if (result.error <= 0) {
        result.los = result.score > 0.5 ? 1 : result.score < 0.5 ? 0 : 0.5;
        return result;
    }
    constexpr double kNormal95 = 1.959964;
    const double low = std::max(result.score - kNormal95 * result.error, 0.0);
    const double high = std::min(result.score + kNormal95 * result.error, 1.0);
    result.elo_95 = ScoreEstimate::Interval{elo_from_score(low), elo_from_score(high)};
    result.los = 0.5 * std::erfc(-(result.score - 0.5) / (result.error * std::sqrt(2.0)));
    const double deviation = result.error * std::sqrt(games);  // of one game
    result.normalised = {(result.score - 0.5) / deviation * kNormalisedEloPerDeviation,
                         kNormal95 * kNormalisedEloPerDeviation / std::sqrt(games)};
    return result;
}

}  // namespace solis::lab
