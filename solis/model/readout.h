// What a score along an encoder's axis means: as a win probability, and on one scale for both
// sides.
#pragma once
#include "solis/chess/types.h"
#include "solis/model/axis.h"
#include "solis/model/calibration.h"
#include "solis/model/view.h"

namespace solis::model {

// Scores are <z, axis> in White's view, as evaluators give them. The calibration is fitted in the
// view in which the encoder sees: for View::Mover it maps the mover's score to the mover's win
// probability, and is not symmetric, because having the move is worth something.
class Readout {
  public:
    Readout(AdvantageAxis axis, Calibration calibration, View view);

    [[nodiscard]] const AdvantageAxis& axis() const { return axis_; }
    [[nodiscard]] const Calibration& calibration() const { return calibration_; }
    [[nodiscard]] View view() const { return view_; }

    // White's win probability where `mover` is to move.
    [[nodiscard]] double win_probability(double score, chess::Color mover) const;

    // The score for the mover, counted from that of an even game: 0 is an even game whoever is to
    // move, and what is good for one side is as bad for the other. What plans compare.
    [[nodiscard]] float centred_score(float score, chess::Color mover) const {
        const bool black = mover == chess::Color::Black;
        if (view_ == View::Mover) return (black ? -score : score) - even_;
        return black ? even_ - score : score - even_;
    }
    // From a centred score to the win probability of the side it belongs to, on either side of a
    // move: the calibration, made symmetric around an even game.
    [[nodiscard]] const Calibration& symmetric_curve() const { return symmetric_; }

  private:
    AdvantageAxis axis_;
    Calibration calibration_;
    View view_;
    float even_;  // the calibration's score at win probability 0.5
    Calibration symmetric_;
};

}  // namespace solis::model
