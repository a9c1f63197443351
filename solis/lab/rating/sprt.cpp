// Sequential test of two hypotheses about the strength of a player: when to stop a match.
#include "solis/lab/rating/sprt.h"

#include <cmath>
#include <span>
#include <vector>

#include <fmt/format.h>

#include "solis/base/text.h"
#include "solis/data/formats/fields.h"
#include "solis/lab/key_values.h"

namespace solis::lab {
namespace {

constexpr double kHighestElo = 200;  // beyond, no results may have so high a t

// Values a result can have and how likely each is.
struct Distribution {
    std::vector<double> values, weights;
};

double mean_of(const Distribution& results) {
    double sum = 0;
    for (std::size_t i = 0; i < results.values.size(); ++i) {
        sum += results.weights[i] * results.values[i];
    }
    return sum;
}

double deviation_of(const Distribution& results) {
    const double mean = mean_of(results);
    double sum = 0;
    for (std::size_t i = 0; i < results.values.size(); ++i) {
        sum += results.weights[i] * (results.values[i] - mean) * (results.values[i] - mean);
    }
    return std::sqrt(sum);
}

// The observed distribution, of so many results. A result that was not seen gets a thousandth of
// one: its likelihood must not be 0.
struct Sample {
    Distribution distribution;
    double size = 0;
};

Sample observed(std::span<const std::uint64_t> counts) {
    constexpr double kUnseen = 1e-3;
    Sample sample;
    double total = 0;
    for (std::size_t i = 0; i < counts.size(); ++i) {
        const auto count = static_cast<double>(counts[i]);
        sample.size += count;
        sample.distribution.values.push_back(static_cast<double>(i) /
                                             static_cast<double>(counts.size() - 1));
        sample.distribution.weights.push_back(count > 0 ? count : kUnseen);
        total += sample.distribution.weights.back();
    }
    for (double& weight : sample.distribution.weights) weight /= total;
    return sample;
}

// The multiplier x with sum of w a / (1 + x a) = 0, where every 1 + x a is positive. There is one
// if `a` has both signs: the sum falls from +infinity to -infinity.
double multiplier(const std::vector<double>& a, const std::vector<double>& weights) {
    double least = 0, most = 0;
    for (const double value : a) {
        least = std::min(least, value);
        most = std::max(most, value);
    }
    double low = -1 / most, high = -1 / least;
    for (int step = 0; step < 200 && high - low > 1e-15 * (std::abs(low) + std::abs(high));
         ++step) {
        const double x = (low + high) / 2;
        double sum = 0;
        for (std::size_t i = 0; i < a.size(); ++i) sum += weights[i] * a[i] / (1 + x * a[i]);
        (sum > 0 ? low : high) = x;
    }
    return (low + high) / 2;
}

// Most likely weights under the condition that the mean of `a` is 0.
std::vector<double> weights_with_zero_mean(const std::vector<double>& a,
                                           const std::vector<double>& seen) {
    const double x = multiplier(a, seen);
    std::vector<double> weights;
    for (std::size_t i = 0; i < a.size(); ++i) weights.push_back(seen[i] / (1 + x * a[i]));
    return weights;
}

std::vector<double> weights_with_mean(const Distribution& seen, double mean) {
    std::vector<double> a;
    for (const double value : seen.values) a.push_back(value - mean);
    return weights_with_zero_mean(a, seen.weights);
}

// Most likely weights whose mean is `t` standard deviations above 1/2. The deviation depends on the
// weights: its first-order expansion makes the condition a mean again, and is renewed until it
// holds.
std::vector<double> weights_with_t(const Distribution& seen, double t) {
    constexpr int kFullSteps = 50;
    Distribution current = seen;
    current.weights.assign(seen.weights.size(), 1 / static_cast<double>(seen.weights.size()));
    for (int step = 0; step < 200; ++step) {
        const double mean = mean_of(current), deviation = deviation_of(current);
        std::vector<double> a;
        for (const double value : seen.values) {
            const double away = (value - mean) / deviation;
            a.push_back(value - 0.5 - t * deviation * (1 + away * away) / 2);
        }
        const std::vector<double> next = weights_with_zero_mean(a, seen.weights);
        double change = 0;
        for (std::size_t i = 0; i < next.size(); ++i) {
            change = std::max(change, std::abs(next[i] - current.weights[i]));
        }
        // Where nearly all results are alike the steps jump to and fro: halve them.
        const double share = step < kFullSteps ? 1 : 0.5;
        for (std::size_t i = 0; i < next.size(); ++i) {
            current.weights[i] += share * (next[i] - current.weights[i]);
        }
        if (change < 1e-12) break;
    }
    return current.weights;
}

std::vector<double> best_weights(const SprtTest& test, double elo, const Distribution& seen) {
    if (test.kind == EloKind::Logistic) return weights_with_mean(seen, score_from_elo(elo));
    // A pair's mean score has 1 / sqrt(2) of a game's deviation.
    const double each = seen.values.size() == 5 ? 2 : 1;
    return weights_with_t(seen, elo / kNormalisedEloPerDeviation * std::sqrt(each));
}

Result<void> set_field(SprtTest& test, std::string_view name, std::string_view value) {
    if (name == "model") {
        if (value != "normalised" && value != "normalized" && value != "logistic") {
            return fail(fmt::format("SPRT model {} is unknown", in_quotes(value)),
                        "use normalised or logistic");
        }
        test.kind = value == "logistic" ? EloKind::Logistic : EloKind::Normalised;
        return {};
    }
    double* target = name == "elo0"    ? &test.elo0
                     : name == "elo1"  ? &test.elo1
                     : name == "alpha" ? &test.alpha
                     : name == "beta"  ? &test.beta
                                       : nullptr;
    if (target == nullptr) {
        return fail(fmt::format("SPRT field {} is unknown", in_quotes(name)),
                    "the fields are elo0, elo1, alpha, beta and model");
    }
    const auto number = data::parse_number<double>(value);
    if (!number) {
        return fail(
            fmt::format("SPRT field {}: {} is not a number", in_quotes(name), in_quotes(value)));
    }
    *target = *number;
    return {};
}

}  // namespace

double SprtTest::lower_bound() const { return std::log(beta / (1 - alpha)); }
double SprtTest::upper_bound() const { return std::log((1 - beta) / alpha); }

Result<SprtTest> parse_sprt(std::string_view text) {
    SprtTest test;
    const auto fields = parse_key_values(text);
    if (!fields) return fail_in("SPRT", fields.error());
    for (const auto& [name, value] : *fields) {
        if (const auto ok = set_field(test, name, value); !ok) return tl::unexpected(ok.error());
    }
    if (const auto ok = check_sprt(test); !ok) return tl::unexpected(ok.error());
    return test;
}

Result<void> check_sprt(const SprtTest& test) {
    if (!(test.elo0 < test.elo1)) {
        return fail(fmt::format("SPRT needs elo0 < elo1, got {} and {}", test.elo0, test.elo1));
    }
    if (!(std::abs(test.elo0) <= kHighestElo && std::abs(test.elo1) <= kHighestElo)) {
        return fail(fmt::format("SPRT hypotheses are between -{0} and {0} Elo, got {1} and {2}",
                                kHighestElo, test.elo0, test.elo1));
    }
    const auto is_risk = [](double p) { return p > 0 && p < 0.5; };
    if (!is_risk(test.alpha) || !is_risk(test.beta)) {
        return fail(fmt::format("SPRT alpha and beta are between 0 and 0.5, got {} and {}",
                                test.alpha, test.beta));
    }
    return {};
}

std::string_view to_string(SprtDecision decision) {
    switch (decision) {
        case SprtDecision::AcceptElo0:
            return "accept elo0";
        case SprtDecision::AcceptElo1:
            return "accept elo1";
        case SprtDecision::Continue:
            break;
    }
    return "continue";
}

double log_likelihood_ratio(const SprtTest& test, const ScoreCount& match) {
    Sample sample = observed(match.pairs);
    if (sample.size == 0) sample = observed(match.singles);
    if (sample.size == 0) return 0;
    const Distribution& seen = sample.distribution;
    const std::vector<double> weights0 = best_weights(test, test.elo0, seen);
    const std::vector<double> weights1 = best_weights(test, test.elo1, seen);
    double sum = 0;
    for (std::size_t i = 0; i < seen.weights.size(); ++i) {
        sum += seen.weights[i] * std::log(weights1[i] / weights0[i]);
    }
    return sum * sample.size;
}

std::string sprt_text(const SprtTest& test, double log_ratio) {
    return fmt::format("{:.2f} in ({:.2f}, {:.2f}) for [{}, {}] {} Elo", log_ratio,
                       test.lower_bound(), test.upper_bound(), test.elo0, test.elo1,
                       test.kind == EloKind::Logistic ? "logistic" : "normalised");
}

SprtDecision decide(const SprtTest& test, double log_ratio) {
    if (log_ratio >= test.upper_bound()) return SprtDecision::AcceptElo1;
    if (log_ratio <= test.lower_bound()) return SprtDecision::AcceptElo0;
    return SprtDecision::Continue;
}

}  // namespace solis::lab
