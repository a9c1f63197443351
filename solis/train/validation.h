// Measures an encoder on held-out positions, and gives it its axis and calibration.
#pragma once
#include <optional>
#include <vector>

#include "solis/base/thread_pool.h"
#include "solis/chess/position.h"
#include "solis/data/game_source.h"
#include "solis/data/position_walk.h"
#include "solis/data/store/game_hash.h"
#include "solis/model/axis.h"
#include "solis/model/calibration.h"
#include "solis/train/config.h"
#include "solis/train/trainable.h"

namespace solis::train {

// A position whose best move is known: its children, and which of them the move leads to.
struct MoveQuestion {
    std::vector<chess::Position> children;
    std::size_t best = 0;
};

struct ValidationSet {
    std::vector<chess::Position> positions;
    std::vector<float> labels;  // win probability of the side to move
    // What the run trains for, which the order of the scores is compared with: the labels
    // themselves, or where the config says so, distances.
    std::vector<float> aims;
    std::vector<data::PositionKind> kinds;
    std::vector<MoveQuestion> questions;
    data::ImportReport skipped;  // damage in the stores that was left out

    // From the validation split of the config's stores, or from all of them where they hold
    // nothing that was trained on. A move counts as best where the engine played it and thought
    // the position no worse after it.
    [[nodiscard]] static Result<ValidationSet> load(
        const TrainConfig& config, std::optional<data::Split> split = data::Split::Validation);
};

struct ValidationReport {
    double spearman = 0;
    double kendall = 0;
    double calibration_error = 0;  // measured on other positions than the curve was fitted to
    double top1 = 0, top3 = 0, top5 = 0;  // share of questions with the best move ranked that high
    std::size_t positions = 0;
    std::size_t questions = 0;

    // Calls field(name, member) for every figure: the one list behind logs, models and --json.
    template <class Report, class Field>
    static void visit(Report& r, Field&& field) {
        field("spearman", r.spearman);
        field("kendall", r.kendall);
        field("calibration_error", r.calibration_error);
        field("top1", r.top1);
        field("top3", r.top3);
        field("top5", r.top5);
        field("positions", r.positions);
        field("questions", r.questions);
    }
};

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

}  // namespace solis::train
