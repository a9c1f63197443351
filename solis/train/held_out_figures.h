// What held-out positions say about scores: how far their order is that of the labels.
#pragma once
#include <functional>
#include <span>

#include "solis/train/validation_set.h"

namespace solis::train {

struct ValidationReport {
    double spearman = 0;
    double kendall = 0;
    // Spearman among positions whose label is within so many centipawns of equality, all of them
    // and those where nothing hangs in the air. Overall the correlation is made by material; games
    // are decided among these.
    double within_200 = 0, within_200_quiet = 0;
    double within_100 = 0, within_100_quiet = 0;
    double mean_error = 0;         // of the win probability
    double calibration_error = 0;  // measured on other positions than the curve was fitted to
    double top1 = 0, top3 = 0, top5 = 0;  // share of questions with the best move ranked that high
    double siblings_in_order = 0;         // share of pairs of siblings with different labels
    std::size_t positions = 0;
    std::size_t balanced = 0;  // of them within 200 centipawns
    // Positions that a model leaves to its encoder for endings. Their scores lie on another axis,
    // and the correlations above are without them.
    std::size_t endings = 0;
    double endings_spearman = 0;
    std::size_t questions = 0;
    std::size_t sibling_pairs = 0;

    // Calls field(name, member) for every figure: the one list behind logs, models and --json.
    template <class Report, class Field>
    static void visit(Report& r, Field&& field) {
        field("spearman", r.spearman);
        field("kendall", r.kendall);
        field("within_200", r.within_200);
        field("within_200_quiet", r.within_200_quiet);
        field("within_100", r.within_100);
        field("within_100_quiet", r.within_100_quiet);
        field("mean_error", r.mean_error);
        field("calibration_error", r.calibration_error);
        field("top1", r.top1);
        field("top3", r.top3);
        field("top5", r.top5);
        field("siblings_in_order", r.siblings_in_order);
        field("positions", r.positions);
        field("balanced", r.balanced);
        field("endings", r.endings);
        field("endings_spearman", r.endings_spearman);
        field("questions", r.questions);
        field("sibling_pairs", r.sibling_pairs);
    }
};

// Scores of positions, each for its side to move.
using MoverScores = std::function<void(std::span<const chess::Position>, std::span<float>)>;

// Scores and aims belong to the positions of the set, in one view. Fills in the correlations.
void measure_order(const ValidationSet& set, std::span<const float> scores,
                   std::span<const float> aims, ValidationReport& report);
// Fills in how often the best move comes among the first, and how many siblings are in order.
void measure_moves(const ValidationSet& set, const MoverScores& scores_of,
                   ValidationReport& report);

}  // namespace solis::train
