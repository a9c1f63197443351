// Calibration: what a score along the advantage axis means as a win probability.
#pragma once
#include <cstddef>
#include <span>
#include <vector>

#include "solis/base/result.h"

namespace solis::model {

// A rising piecewise-linear curve from the unanchored score to the win probability, both in the
// view in which the encoder sees (model::View); constant outside its knots.
class Calibration {
  public:
    static constexpr std::size_t kMaxKnots = 64;

    // Refuses fewer than 2 or more than kMaxKnots knots, lists of different length, values that
    // are not finite, scores that do not rise, probabilities outside [0, 1] or that fall, and a
    // curve that does not reach both sides of 0.5.
    [[nodiscard]] static Result<Calibration> from_knots(std::vector<float> scores,
                                                        std::vector<float> probabilities);

    [[nodiscard]] double win_probability(double score) const;
    // The inverse: the middle of the scores whose probability is p; the nearest end where the
    // curve does not reach p.
    [[nodiscard]] double score_at(double p) const;
    // The score of an even game.
    [[nodiscard]] double draw_score() const { return score_at(0.5); }
    // The curve with p(-x) = 1 - p(x) that takes the mean of how far p and 1 - p lie from each
    // other on this one: x(p) = (score_at(p) - score_at(1 - p)) / 2, for all p where both are
    // reached. A symmetric curve is its own. May have more than kMaxKnots knots.
    [[nodiscard]] Calibration symmetrised() const;

    [[nodiscard]] std::span<const float> scores() const { return scores_; }
    [[nodiscard]] std::span<const float> probabilities() const { return probabilities_; }

    friend bool operator==(const Calibration&, const Calibration&) = default;

  private:
    Calibration(std::vector<float> scores, std::vector<float> probabilities)
        : scores_(std::move(scores)), probabilities_(std::move(probabilities)) {}

    std::vector<float> scores_;
    std::vector<float> probabilities_;
};

// Isotonic regression of label on score (pool adjacent violators), thinned to the wanted number
// of knots (3 to Calibration::kMaxKnots). Labels are win probabilities. Nothing forces the curve
// through (0, 0.5): with the move one wins more often. Refuses bad input and samples without a
// trend.
[[nodiscard]] Result<Calibration> fit_calibration(std::span<const float> scores,
                                                  std::span<const float> labels,
                                                  std::size_t max_knots = Calibration::kMaxKnots);

}  // namespace solis::model
