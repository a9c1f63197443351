// A match of two players as counts of results: of games (3) or of pairs of games (5).
#include "lab/rating/pentanomial.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <numeric>

#include "base/text.h"
#include "lab/rating/distributions.h"
#include "lab/rating/elo_model.h"

namespace solis::lab {
namespace {

Result<std::uint32_t> parse_count(std::string_view field, std::string_view whole) {
    std::uint32_t count = 0;
    const auto [end, error] = std::from_chars(field.data(), field.data() + field.size(), count);
    if (error == std::errc() && end == field.data() + field.size()) return count;
    return fail(fmt::format("counts {}: {} is not a whole number", quoted(whole), quoted(field)),
                "write them like 12,40,80,45,20");
}

double elo_or_infinity(double score) {
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    if (score <= 0) return -kInfinity;
    if (score >= 1) return kInfinity;
    return elo_of_score(score);
}

}  // namespace

ScoreCounts ScoreCounts::of_games(const Tally& results) {
    return ScoreCounts({results.counts.begin(), results.counts.end()});
}

ScoreCounts ScoreCounts::of_pairs(const Encounter& games) {
    std::vector<double> counts(5);
    for (std::size_t white = 0; white < 3; ++white) {
        for (std::size_t black = 0; black < 3; ++black) {
            counts[white + black] += games.pairs[white][black];
        }
    }
    return ScoreCounts(std::move(counts));
}

Result<ScoreCounts> ScoreCounts::parse(std::string_view text, std::size_t fields) {
    std::vector<double> counts;
    for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t end = std::min(text.find(',', begin), text.size());
        const auto count = parse_count(text.substr(begin, end - begin), text);
        if (!count) return tl::unexpected(count.error());
        counts.push_back(*count);
        begin = end + 1;
    }
    if (counts.size() != fields) {
        return fail(
            fmt::format("counts {}: {} numbers, expected {}", quoted(text), counts.size(), fields));
    }
    ScoreCounts result(std::move(counts));
    if (result.total() == 0) return fail(fmt::format("counts {}: no games", quoted(text)));
    return result;
}

double ScoreCounts::total() const { return std::accumulate(counts_.begin(), counts_.end(), 0.0); }

double ScoreCounts::mean() const {
    double sum = 0;
    for (std::size_t i = 0; i < counts_.size(); ++i) sum += counts_[i] * score(i);
    return sum / total();
}

double ScoreCounts::variance() const {
    const double middle = mean();
    double sum = 0;
    for (std::size_t i = 0; i < counts_.size(); ++i) {
        sum += counts_[i] * (score(i) - middle) * (score(i) - middle);
    }
    return sum / total();
}

MatchEstimate estimate_match(const ScoreCounts& counts, double confidence) {
    const double mean = counts.mean(), deviation = std::sqrt(counts.variance());
    const double error = deviation / std::sqrt(counts.total()), width = interval_width(confidence);
    MatchEstimate estimate;
    estimate.score = mean;
    estimate.elo = {elo_or_infinity(mean), elo_or_infinity(mean - width * error),
                    elo_or_infinity(mean + width * error)};
    if (deviation == 0) {
        const double side = mean > 0.5 ? 1 : mean < 0.5 ? -1 : 0;
        const double endless = side == 0 ? 0 : side * std::numeric_limits<double>::infinity();
        estimate.normalised_elo = {endless, endless, endless};
        estimate.superiority = (1 + side) / 2;
        return estimate;
    }
    // In deviations of one game: a pair's mean score deviates by 1 / sqrt(2) of that.
    const double deviations = (mean - 0.5) / (deviation * std::sqrt(counts.games_each()));
    const double half = width * kNormalisedEloPerDeviation / std::sqrt(counts.games());
    const double normalised = deviations * kNormalisedEloPerDeviation;
    estimate.normalised_elo = {normalised, normalised - half, normalised + half};
    estimate.superiority = normal_cdf((mean - 0.5) / error);
    return estimate;
}

}  // namespace solis::lab
