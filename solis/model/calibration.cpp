// Isotonic regression and the curve it leaves behind.
#include "solis/model/calibration.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

namespace solis::model {
namespace {

constexpr const char* kCalibrationHint = "build it from held-out labels: solis axis";

// A run of samples that share one probability; also a knot in the making.
struct Block {
    double score = 0;  // mean
    double p = 0;      // mean
    double weight = 0;

    void absorb(const Block& other) {
        const double total = weight + other.weight;
        score += (other.score - score) * other.weight / total;
        p += (other.p - p) * other.weight / total;
        weight = total;
    }
};

Result<void> check_samples(std::span<const float> scores, std::span<const float> labels) {
    if (scores.size() != labels.size() || scores.empty()) {
        return fail(fmt::format("calibration: {} scores and {} labels, expected as many of both",
                                scores.size(), labels.size()));
    }
    for (std::size_t i = 0; i < scores.size(); ++i) {
        if (std::isfinite(scores[i]) && labels[i] >= 0 && labels[i] <= 1) continue;
        return fail(
            fmt::format("calibration: sample {} has score {} and label {}, expected a "
                        "finite score and a label in [0, 1]",
                        i, scores[i], labels[i]));
    }
    return {};
}

// One block per distinct score, in rising order.
std::vector<Block> sorted_blocks(std::span<const float> scores, std::span<const float> labels) {
    std::vector<Block> samples;
    samples.reserve(scores.size());
    for (std::size_t i = 0; i < scores.size(); ++i) samples.push_back({scores[i], labels[i], 1});
    std::sort(samples.begin(), samples.end(),
              [](const Block& a, const Block& b) { return a.score < b.score; });
    std::vector<Block> blocks;
    for (const Block& sample : samples) {
        if (!blocks.empty() && blocks.back().score == sample.score) {
            blocks.back().absorb(sample);
        } else {
            blocks.push_back(sample);
        }
    }
    return blocks;
}

// Merges neighbours until p rises strictly: the least-squares monotone fit.
std::vector<Block> pool_adjacent_violators(std::span<const Block> blocks) {
    std::vector<Block> pooled;
    for (Block block : blocks) {
        while (!pooled.empty() && pooled.back().p >= block.p) {
            pooled.back().absorb(block);
            block = pooled.back();
            pooled.pop_back();
        }
        pooled.push_back(block);
    }
    return pooled;
}

// Merges neighbours into at most `count` groups. `share(t)` is the share of the samples that the
// first t of the groups hold (t and share from 0 to 1).
template <class Share>
std::vector<Block> thin(std::span<const Block> blocks, std::size_t count, Share&& share) {
    double total = 0;
    for (const Block& block : blocks) total += block.weight;
    std::vector<Block> groups;
    double used = 0;
    std::size_t group = 0;  // that the last block fell into, from 1
    for (const Block& block : blocks) {
        const double middle = (used + block.weight / 2) / total;
        used += block.weight;
        const std::size_t before = group;
        while (group == 0 || (group < count && share(static_cast<double>(group) /
                                                     static_cast<double>(count)) < middle)) {
            ++group;
        }
        if (group == before) {
            groups.back().absorb(block);
        } else {
            groups.push_back(block);
        }
    }
    return groups;
}

// Groups grow small towards the ends, where the curve bends and probabilities saturate.
std::vector<Block> thin_both_ends(std::span<const Block> blocks, std::size_t count) {
    return thin(blocks, count, [](double t) {
        const double s = std::sin(t * std::numbers::pi / 2);
        return s * s;
    });
}

// Piecewise-linear y at `at`; x rises strictly, and `at` lies between its ends.
double interpolate(std::span<const float> x, std::span<const float> y, double at) {
    const auto above = std::upper_bound(x.begin(), x.end(), at);
    if (above == x.end()) return y.back();
    if (above == x.begin()) return y.front();
    const auto i = static_cast<std::size_t>(above - x.begin());
    const double x0 = x[i - 1], y0 = y[i - 1];
    return y0 + (at - x0) / (x[i] - x0) * (y[i] - y0);
}

tl::unexpected<Error> bad_knot(std::size_t i, const std::string& what) {
    return fail(fmt::format("calibration: knot {}: {}", i, what), kCalibrationHint);
}

}  // namespace

Result<Calibration> Calibration::from_knots(std::vector<float> scores,
                                            std::vector<float> probabilities) {
    if (scores.size() != probabilities.size() || scores.size() < 2 || scores.size() > kMaxKnots) {
        return fail(fmt::format("calibration: {} scores and {} probabilities, expected 2 to {} of "
                                "each",
                                scores.size(), probabilities.size(), kMaxKnots),
                    kCalibrationHint);
    }
    for (std::size_t i = 0; i < scores.size(); ++i) {
        if (!std::isfinite(scores[i])) {
            return bad_knot(i, fmt::format("score {}, expected a finite number", scores[i]));
        }
        if (!(probabilities[i] >= 0 && probabilities[i] <= 1)) {
            return bad_knot(i, fmt::format("p = {}, expected 0 to 1", probabilities[i]));
        }
        if (i == 0) continue;
        if (scores[i] <= scores[i - 1]) {
            return bad_knot(i, fmt::format("score {} after {}, expected rising scores", scores[i],
                                           scores[i - 1]));
        }
        if (probabilities[i] < probabilities[i - 1]) {
            return bad_knot(i, fmt::format("p = {} after {}, expected p to rise with the score",
                                           probabilities[i], probabilities[i - 1]));
        }
    }
    if (!(probabilities.front() < 0.5f && probabilities.back() > 0.5f)) {
        return fail(fmt::format("calibration: p goes from {} to {}, expected to pass 0.5",
                                probabilities.front(), probabilities.back()),
                    kCalibrationHint);
    }
    return Calibration(std::move(scores), std::move(probabilities));
}

double Calibration::win_probability(double score) const {
    return interpolate(scores_, probabilities_, score);
}

double Calibration::score_at(double p) const {
    // Knots strictly below and above p; between them are those equal to p, if any.
    const auto low = std::lower_bound(probabilities_.begin(), probabilities_.end(), p);
    const auto high = std::upper_bound(low, probabilities_.end(), p);
    const auto first = static_cast<std::size_t>(low - probabilities_.begin());
    const auto last = static_cast<std::size_t>(high - probabilities_.begin());
    if (first < last) return (static_cast<double>(scores_[first]) + scores_[last - 1]) / 2;
    if (first == 0) return scores_.front();
    if (first == scores_.size()) return scores_.back();
    const double p0 = probabilities_[first - 1], s0 = scores_[first - 1];
    return s0 + (p - p0) / (probabilities_[first] - p0) * (scores_[first] - s0);
}

Calibration Calibration::symmetrised() const {
    const double most = std::min(static_cast<double>(probabilities_.back()),
                                 1 - static_cast<double>(probabilities_.front()));
    // The upper half bends where the curve does above 0.5, and where it does below.
    std::vector<double> bends{most};
    for (const float probability : probabilities_) {
        const double p = static_cast<double>(probability), upper = std::max(p, 1 - p);
        if (upper > 0.5 && upper < most) bends.push_back(upper);
    }
    std::sort(bends.begin(), bends.end());
    std::vector<float> scores{0}, ps{0.5f};
    for (const double p : bends) {
        const auto x = static_cast<float>((score_at(p) - score_at(1 - p)) / 2);
        const auto rounded = static_cast<float>(p);
        if (x <= scores.back() || rounded <= ps.back()) continue;
        scores.push_back(x);
        ps.push_back(rounded);
    }
    std::vector<float> all_scores, all_ps;
    for (std::size_t i = scores.size() - 1; i > 0; --i) {
        all_scores.push_back(-scores[i]);
        all_ps.push_back(1 - ps[i]);
    }
    all_scores.insert(all_scores.end(), scores.begin(), scores.end());
    all_ps.insert(all_ps.end(), ps.begin(), ps.end());
    return {std::move(all_scores), std::move(all_ps)};
}

Result<Calibration> fit_calibration(std::span<const float> scores, std::span<const float> labels,
                                    std::size_t max_knots) {
    if (auto ok = check_samples(scores, labels); !ok) return tl::unexpected(ok.error());
    if (max_knots < 3 || max_knots > Calibration::kMaxKnots) {
        return fail(fmt::format("calibration: at most {} knots wanted, expected 3 to {}", max_knots,
                                Calibration::kMaxKnots));
    }
    const auto pooled = pool_adjacent_violators(sorted_blocks(scores, labels));
    const auto knots = thin_both_ends(pooled, max_knots);
    std::vector<float> knot_scores, knot_ps;
    for (const Block& knot : knots) {
        const auto score = static_cast<float>(knot.score);
        // Neighbours that round to the same float are one knot.
        if (!knot_scores.empty() && score <= knot_scores.back()) continue;
        knot_scores.push_back(score);
        knot_ps.push_back(static_cast<float>(std::clamp(knot.p, 0.0, 1.0)));
    }
    if (knot_scores.size() < 2) {
        return fail(fmt::format("calibration: {} samples show no rise of the label with the score",
                                scores.size()),
                    "the axis does not separate won from lost positions: train the encoder first");
    }
    return Calibration::from_knots(std::move(knot_scores), std::move(knot_ps));
}

}  // namespace solis::model
