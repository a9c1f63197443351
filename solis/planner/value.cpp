// What values mean.
#include "solis/planner/value.h"

#include <algorithm>
#include <cmath>

namespace solis::planner {
namespace {

using chess::Color;

// Where p is too close to 0 or 1 for centipawns to mean anything.
constexpr double kLeastProbability = 1e-4;
constexpr double kLogitPerCentipawn = 0.00368208;

int in_units(double score) { return static_cast<int>(std::lround(score * kScoreUnit)); }

}  // namespace

ValueScale::ValueScale(const model::LoadedModel& model, Scoring scoring)
    : calibration_(model.calibration()),
      endings_(model.file().endings ? &*model.file().endings->calibration : nullptr),
      anchor_(scoring == Scoring::Anchored
                  ? in_units(-static_cast<double>(model.axis().score(model.axis().mu_black)))
                  : 0),
      draw_(in_units(calibration_.draw_score()) + anchor_) {}

Value ValueScale::of_ending(float score, Color mover) const {
    const double own = static_cast<double>(score);
    const double result = calibration_.score_at(endings_->win_probability(own));
    return seen_by(mover, in_units(result + own) + anchor_);
}

double ValueScale::score(Value value, Color mover) const {
    if (is_decided(value)) return value > 0 ? 1.0 : -1.0;
    const int for_white = seen_by(mover, value) - anchor_;
    return static_cast<double>(seen_by(mover, for_white)) / kScoreUnit;
}

double ValueScale::win_probability(Value value, Color mover) const {
    if (is_decided(value)) return value > 0 ? 1.0 : 0.0;
    const double for_mover = score(value, mover);
    const bool white = mover == Color::White;
    const double p = calibration_.win_probability(white ? for_mover : -for_mover);
    return white ? p : 1.0 - p;
}

Value ValueScale::at_probability(double p, Color mover) const {
    const double for_white = mover == Color::White ? p : 1 - p;
    return seen_by(mover, in_units(calibration_.score_at(for_white)) + anchor_);
}

int ValueScale::centipawns(Value value, Color mover) const {
    const double p =
        std::clamp(win_probability(value, mover), kLeastProbability, 1 - kLeastProbability);
    return static_cast<int>(std::lround(std::log(p / (1 - p)) / kLogitPerCentipawn));
}

WinDrawLoss ValueScale::win_draw_loss(Value value, Color mover) const {
    const double p = win_probability(value, mover);
    return {p * p, 2 * p * (1 - p), (1 - p) * (1 - p)};
}

}  // namespace solis::planner
