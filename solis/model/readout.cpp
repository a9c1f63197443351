// Win probabilities in the encoder's view.
#include "solis/model/readout.h"

#include <utility>

namespace solis::model {

using chess::Color;

Readout::Readout(AdvantageAxis axis, Calibration calibration, View view)
    : axis_(std::move(axis)),
      calibration_(std::move(calibration)),
      view_(view),
      even_(static_cast<float>(calibration_.draw_score())),
      symmetric_(calibration_.symmetrised()) {}

double Readout::win_probability(double score, Color mover) const {
    const bool reflected = view_ == View::Mover && mover == Color::Black;
    const double p = calibration_.win_probability(reflected ? -score : score);
    return reflected ? 1 - p : p;
}

}  // namespace solis::model
