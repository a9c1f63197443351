// A match of two players as counts of results: of games (3) or of pairs of games (5).
#pragma once
#include <span>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "lab/rating/result_table.h"

namespace solis::lab {

// Counts by score in equal steps from 0 to 1. Three are losses, draws and wins; five are pairs with
// 0, 1/2, 1, 3/2 and 2 points.
class ScoreCounts {
  public:
    [[nodiscard]] static ScoreCounts of_games(const Tally& results);
    [[nodiscard]] static ScoreCounts of_pairs(const Encounter& games);
    // "12,40,80,45,20": five whole numbers, or three in the order losses, draws, wins.
    [[nodiscard]] static Result<ScoreCounts> parse(std::string_view text, std::size_t fields);

    [[nodiscard]] std::span<const double> counts() const { return counts_; }
    [[nodiscard]] double total() const;
    [[nodiscard]] double games_each() const { return counts_.size() == 5 ? 2 : 1; }
    [[nodiscard]] double games() const { return total() * games_each(); }
    // The score that counts()[i] stands for.
    [[nodiscard]] double score(std::size_t i) const {
        return static_cast<double>(i) / static_cast<double>(counts_.size() - 1);
    }
    [[nodiscard]] double mean() const;
    // Of one entry: a game, or the mean score of a pair.
    [[nodiscard]] double variance() const;

  private:
    explicit ScoreCounts(std::vector<double> counts) : counts_(std::move(counts)) {}

    std::vector<double> counts_;
};

// An estimate with its two-sided interval.
struct Estimate {
    double value = 0;
    double low = 0;
    double high = 0;

    [[nodiscard]] double half_width() const { return (high - low) / 2; }
};

struct MatchEstimate {
    double score = 0;
    Estimate elo;             // logistic; infinite where every game was won or lost
    Estimate normalised_elo;  // difference in standard deviations of a game, times 800 / ln 10
    double superiority = 0.5;
};

// 800 / ln 10: small differences in normalised and in logistic Elo are alike if half the games are
// draws.
inline constexpr double kNormalisedEloPerDeviation = 347.43558552260146;

// Needs at least one entry.
[[nodiscard]] MatchEstimate estimate_match(const ScoreCounts& counts, double confidence = 0.95);

}  // namespace solis::lab
