// Measures an encoder on held-out positions, and gives it its axis and calibration.
#pragma once
#include <optional>
#include <vector>

#include "solis/base/thread_pool.h"
#include "solis/model/axis.h"
#include "solis/model/calibration.h"
#include "solis/model/evaluator.h"
#include "solis/train/held_out_figures.h"
#include "solis/train/trainable.h"
#include "solis/train/validation_set.h"

namespace solis::train {

struct AxisFit {
    model::AdvantageAxis axis;
    model::Calibration calibration;
    ValidationReport report;
};

// How much better positions look to a model than their labels say, for their side to move.
struct BiasRow {
    data::PositionKind kind;  // in the line of a game, or after a random move beside it
    int min_pieces = 0, max_pieces = 32;
    std::size_t positions = 0;
    double label = 0;  // mean win probability of the side to move
    double model = 0;  // the same as the model has it
};
// By kind and by number of pieces on the board. The axis and calibration are those of `fit`.
[[nodiscard]] std::vector<BiasRow> measure_bias(TrainableEncoder& encoder, const ValidationSet& set,
                                                const AxisFit& fit, ThreadPool& pool);

// The calibration is fitted to positions that were played: after a random move the mover is better
// off than the score says, because nobody would have made it. Where the set has none, to all.
// `axis`, where it is given, is kept instead of a new one. Fails where the set has no decided
// positions or the encoder no trend.
[[nodiscard]] Result<AxisFit> validate_encoder(
    TrainableEncoder& encoder, const ValidationSet& set, ThreadPool& pool,
    const std::optional<model::AdvantageAxis>& axis = std::nullopt);

// The same figures of a model as it plays, with its own axis and calibration, in integers where it
// plans with integers. Positions of its encoder for endings have scores on an axis of their own, so
// the correlations are those of the others; siblings are compared on the scale of plans.
[[nodiscard]] ValidationReport measure_model(const model::LoadedModel& model,
                                             const ValidationSet& set);

}  // namespace solis::train
