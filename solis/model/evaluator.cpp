// Endings on the scale of the model's own encoder.
#include "solis/model/evaluator.h"

namespace solis::model {

float LoadedModel::centred_ending_score(float score, chess::Color mover) const {
    const double for_white = endings_->win_probability(static_cast<double>(score), mover);
    const double p = mover == chess::Color::White ? for_white : 1 - for_white;
    return static_cast<float>(readout_.symmetric_curve().score_at(p)) +
           endings_->centred_score(score, mover);
}

}  // namespace solis::model
