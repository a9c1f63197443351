// What wins, draws and losses say about strength: logistic Elo with an error from pairs of games.
#pragma once
#include <array>
#include <cstdint>
#include <optional>

namespace solis::lab {

// Two games from one opening with colours reversed are not independent: the opening favours one
// side in both. So the error comes from the scores of pairs (the pentanomial distribution), and
// from single games only where the partner is missing.
struct ScoreCount {
    std::uint64_t wins = 0;
    std::uint64_t draws = 0;
    std::uint64_t losses = 0;
    std::array<std::uint64_t, 5> pairs{};    // by points of the pair: 0, 1/2, 1, 3/2, 2
    std::array<std::uint64_t, 3> singles{};  // games without a partner: lost, drawn, won

    [[nodiscard]] std::uint64_t games() const { return wins + draws + losses; }
    [[nodiscard]] double points() const {
        return static_cast<double>(wins) + 0.5 * static_cast<double>(draws);
    }
    // The same games as the opponent sees them.
    [[nodiscard]] ScoreCount reversed() const;
    ScoreCount& operator+=(const ScoreCount& other);

    friend bool operator==(const ScoreCount&, const ScoreCount&) = default;
};

// From the counts alone. Pairs do not tell a won and a lost game from two draws: drawn is assumed.
[[nodiscard]] ScoreCount count_of_pairs(const std::array<std::uint64_t, 5>& pairs);
[[nodiscard]] ScoreCount count_of_games(std::uint64_t wins, std::uint64_t draws,
                                        std::uint64_t losses);

struct ScoreEstimate {
    double score = 0.5;  // points per game
    double error = 0;    // standard error of the score; 0 where it cannot be known
    double elo = 0;      // infinite for a score of 0 or 1
    // The 95 % interval, infinite where it reaches a score of 0 or 1. None where every pair (game)
    // scored the same: such a sample has no spread to estimate an error from.
    struct Interval {
        double low, high;
    };
    std::optional<Interval> elo_95;
    double los = 0.5;  // likelihood of superiority
    // The score above 1/2 in standard deviations of one game, times kNormalisedEloPerDeviation;
    // with the half width of its 95 % interval. None where the sample has no spread.
    struct Normalised {
        double elo, error;
    };
    std::optional<Normalised> normalised;
};

// 800 / ln 10: what makes normalised and logistic Elo the same where half the games are draws.
inline constexpr double kNormalisedEloPerDeviation = 347.43558552260146;

// Nothing without games.
[[nodiscard]] std::optional<ScoreEstimate> estimate(const ScoreCount& count);

// Elo difference of an expected score, and back.
[[nodiscard]] double elo_from_score(double score);
[[nodiscard]] double score_from_elo(double elo);

}  // namespace solis::lab
