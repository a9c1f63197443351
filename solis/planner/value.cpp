// What values mean.
#include "solis/planner/value.h"

#include <algorithm>
#include <cmath>

#include "solis/chess/centipawns.h"

namespace solis::planner {
namespace {

using chess::Color;

// From here on labels say little more than that the game is won: centipawns go on in a straight
// line.
constexpr double kSurelyWon = 0.99;

int in_units(double score) { return static_cast<int>(std::lround(score * kScoreUnit)); }

}  // namespace

ValueScale::ValueScale(const model::LoadedModel& model, Scoring scoring)
    : model_(model),
      anchor_(scoring == Scoring::Anchored
                  ? in_units(-static_cast<double>(model.axis().score(model.axis().mu_black)))
                  : 0) {}

double ValueScale::win_probability(Value value, Color mover) const {
    if (is_decided(value)) return value > 0 ? 1.0 : 0.0;
    return model_.readout().symmetric_curve().win_probability(score(value, mover));
}

Value ValueScale::at_probability(double p, Color mover) const {
    return in_units(model_.readout().symmetric_curve().score_at(p)) + seen_by(mover, anchor_);
}

int ValueScale::centipawns(Value value, Color mover) const {
    return static_cast<int>(std::lround(exact_centipawns(value, mover)));
}

double ValueScale::exact_centipawns(Value value, Color mover) const {
    const model::Calibration& curve = model_.readout().symmetric_curve();
    const double x = score(value, mover), size = std::abs(x);
    const double most = std::min(kSurelyWon, static_cast<double>(curve.probabilities().back()));
    const double end = curve.score_at(most);
    const double cp = size <= end ? chess::centipawns_at(curve.win_probability(size))
                                  : chess::centipawns_at(most) * (1 + 2 * (size - end) / end);
    return std::copysign(cp, x);
}

WinDrawLoss ValueScale::win_draw_loss(Value value, Color mover) const {
    const double p = win_probability(value, mover);
    return {p * p, 2 * p * (1 - p), (1 - p) * (1 - p)};
}

}  // namespace solis::planner
