// Calibration: what a score along the advantage axis means as a win probability.
#pragma once
#include <cstddef>
#include <span>
#include <vector>

#include "solis/base/result.h"

namespace solis::model {

// A rising piecewise-linear curve from the unanchored score (White's view) to White's win
// probability; constant outside its knots.
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
    // The score of a drawn game.
    [[nodiscard]] double draw_score() const { return score_at(0.5); }

    [[nodiscard]] std::span<const float> scores() const { return scores_; }
    [[nodiscard]] std::span<const float> probabilities() const { return probabilities_; }

    friend bool operator==(const Calibration&, const Calibration&) = default;

  private:
    Calibration(std::vector<float> scores, std::vector<float> probabilities)
        : scores_(std::move(scores)), probabilities_(std::move(probabilities)) {}

    std::vector<float> scores_;
    std::vector<float> probabilities_;
};

struct CalibrationOptions {
    std::size_t max_knots = Calibration::kMaxKnots;  // 3 to Calibration::kMaxKnots
    // For an encoder that treats both colours alike: p(-score) = 1 - p(score).
    bool symmetric = true;
};

// Isotonic regression of label on score (pool adjacent violators), thinned to the wanted number
// of knots. Labels are win probabilities. Refuses bad input and samples without a trend.
[[nodiscard]] Result<Calibration> fit_calibration(std::span<const float> scores,
                                                  std::span<const float> labels,
                                                  const CalibrationOptions& options = {});

}  // namespace solis::model
