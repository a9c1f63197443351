// Rank correlations and calibration error.
#include "solis/model/metrics.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <tuple>
#include <vector>

namespace solis::model {
namespace {

constexpr double kUndefined = std::numeric_limits<double>::quiet_NaN();

// Calls run(begin, end) for each stretch of equal neighbours.
template <class Equal, class Run>
void for_each_run(std::size_t count, Equal&& equal, Run&& run) {
    for (std::size_t begin = 0; begin < count;) {
        std::size_t end = begin + 1;
        while (end < count && equal(begin, end)) ++end;
        run(begin, end);
        begin = end;
    }
}

std::vector<std::size_t> identity(std::size_t count) {
    std::vector<std::size_t> order(count);
    std::iota(order.begin(), order.end(), std::size_t{0});
    return order;
}

// Ranks minus their mean.
std::vector<double> centred_ranks(std::span<const float> values) {
    std::vector<std::size_t> order = identity(values.size());
    std::sort(order.begin(), order.end(),
              [&](std::size_t a, std::size_t b) { return values[a] < values[b]; });
    std::vector<double> ranks(values.size());
    const double middle = (static_cast<double>(values.size()) - 1) / 2;
    for_each_run(
        order.size(),
        [&](std::size_t a, std::size_t b) { return values[order[a]] == values[order[b]]; },
        [&](std::size_t begin, std::size_t end) {
            const double shared = static_cast<double>(begin + end - 1) / 2 - middle;
            for (std::size_t i = begin; i < end; ++i) ranks[order[i]] = shared;
        });
    return ranks;
}

double product_sum(std::span<const double> a, std::span<const double> b) {
    return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

std::uint64_t pairs(std::uint64_t count) { return count * (count - 1) / 2; }

// Pairs of neighbours in the order of `equal` that are tied.
template <class Equal>
std::uint64_t tied_pairs(std::size_t count, Equal&& equal) {
    std::uint64_t tied = 0;
    for_each_run(count, equal,
                 [&](std::size_t begin, std::size_t end) { tied += pairs(end - begin); });
    return tied;
}

// Sorts `values` and returns how many pairs stood in the wrong order.
std::uint64_t sort_counting_inversions(std::vector<float>& values) {
    std::uint64_t inversions = 0;
    std::vector<float> merged(values.size());
    for (std::size_t width = 1; width < values.size(); width *= 2) {
        for (std::size_t begin = 0; begin < values.size(); begin += 2 * width) {
            const std::size_t middle = std::min(begin + width, values.size());
            const std::size_t end = std::min(begin + 2 * width, values.size());
            std::size_t left = begin, right = middle;
            for (std::size_t out = begin; out < end; ++out) {
                const bool take_right =
                    left == middle || (right < end && values[right] < values[left]);
                if (take_right) inversions += middle - left;
                merged[out] = take_right ? values[right++] : values[left++];
            }
        }
        values.swap(merged);
    }
    return inversions;
}

}  // namespace

double spearman(std::span<const float> x, std::span<const float> y) {
    assert(x.size() == y.size());
    const std::vector<double> a = centred_ranks(x), b = centred_ranks(y);
    const double scale = std::sqrt(product_sum(a, a) * product_sum(b, b));
    return scale > 0 ? product_sum(a, b) / scale : kUndefined;
}

double kendall_tau(std::span<const float> x, std::span<const float> y) {
    assert(x.size() == y.size());
    if (x.size() < 2) return kUndefined;
    std::vector<std::size_t> order = identity(x.size());
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return std::tie(x[a], y[a]) < std::tie(x[b], y[b]);
    });
    const auto same_x = [&](std::size_t a, std::size_t b) { return x[order[a]] == x[order[b]]; };
    const std::uint64_t tied_x = tied_pairs(order.size(), same_x);
    const std::uint64_t tied_both = tied_pairs(order.size(), [&](std::size_t a, std::size_t b) {
        return same_x(a, b) && y[order[a]] == y[order[b]];
    });
    std::vector<float> in_order(x.size());
    for (std::size_t i = 0; i < order.size(); ++i) in_order[i] = y[order[i]];
    // Within equal x, y is sorted, so every inversion is a discordant pair.
    const std::uint64_t discordant = sort_counting_inversions(in_order);
    const std::uint64_t tied_y = tied_pairs(
        order.size(), [&](std::size_t a, std::size_t b) { return in_order[a] == in_order[b]; });
    const std::uint64_t all = pairs(x.size());
    const double scale =
        std::sqrt(static_cast<double>(all - tied_x)) * std::sqrt(static_cast<double>(all - tied_y));
    if (scale == 0) return kUndefined;
    const std::uint64_t concordant = all - tied_x - tied_y + tied_both - discordant;
    return (static_cast<double>(concordant) - static_cast<double>(discordant)) / scale;
}

void PairOrder::add(std::span<const float> scores, std::span<const float> labels) {
    assert(scores.size() == labels.size());
    for (std::size_t i = 0; i < scores.size(); ++i) {
        for (std::size_t j = 0; j < i; ++j) {
            if (labels[i] == labels[j]) continue;
            ++pairs;
            if (scores[i] == scores[j]) {
                in_order += 0.5;
            } else if ((scores[i] < scores[j]) == (labels[i] < labels[j])) {
                in_order += 1;
            }
        }
    }
}

double PairOrder::share() const {
    return pairs > 0 ? in_order / static_cast<double>(pairs) : kUndefined;
}

double mean_error(std::span<const float> predicted, std::span<const float> actual) {
    assert(predicted.size() == actual.size());
    double total = 0;
    for (std::size_t i = 0; i < predicted.size(); ++i) {
        total += std::abs(static_cast<double>(predicted[i]) - static_cast<double>(actual[i]));
    }
    return predicted.empty() ? 0 : total / static_cast<double>(predicted.size());
}

double expected_calibration_error(std::span<const float> predicted, std::span<const float> actual,
                                  std::size_t bins) {
    assert(predicted.size() == actual.size() && bins > 0);
    // The weight of a bin cancels its count: only the sum of differences matters.
    std::vector<double> difference(bins);
    for (std::size_t i = 0; i < predicted.size(); ++i) {
        const double place = std::clamp(static_cast<double>(predicted[i]), 0.0, 1.0);
        const auto bin = static_cast<std::size_t>(place * static_cast<double>(bins));
        difference[std::min(bin, bins - 1)] += static_cast<double>(predicted[i]) - actual[i];
    }
    double total = 0;
    for (const double sum : difference) total += std::abs(sum);
    return predicted.empty() ? 0 : total / static_cast<double>(predicted.size());
}

}  // namespace solis::model
