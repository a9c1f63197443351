// Rank correlations among all and among balanced positions, recall of best moves, order of
// siblings.
#include "solis/train/held_out_figures.h"

#include <algorithm>
#include <cstdlib>

#include "solis/model/metrics.h"

namespace solis::train {
namespace {

double balanced_spearman(const ValidationSet& set, std::span<const float> scores,
                         std::span<const float> aims, int most, bool quiet_only) {
    std::vector<float> x, y;
    for (std::size_t i = 0; i < scores.size(); ++i) {
        if (std::abs(set.centipawns[i]) > most || (quiet_only && set.quiet[i] == 0)) continue;
        x.push_back(scores[i]);
        y.push_back(aims[i]);
    }
    return model::spearman(x, y);
}

// The children of all questions of one kind, scored in one call.
template <class Question>
std::vector<float> score_children(std::span<const Question> questions,
                                  const MoverScores& scores_of) {
    std::vector<chess::Position> children;
    for (const Question& question : questions) {
        children.insert(children.end(), question.children.begin(), question.children.end());
    }
    std::vector<float> scores(children.size());
    scores_of(children, scores);
    return scores;
}

void measure_recall(const ValidationSet& set, const MoverScores& scores_of,
                    ValidationReport& report) {
    const std::vector<float> scores =
        score_children(std::span<const MoveQuestion>(set.questions), scores_of);
    std::size_t first = 0, top1 = 0, top3 = 0, top5 = 0;
    for (const MoveQuestion& question : set.questions) {
        const auto own = std::span(scores).subspan(first, question.children.size());
        // Children are seen by the opponent: the mover wants them low.
        const auto better = std::count_if(own.begin(), own.end(),
                                          [&](float score) { return score < own[question.best]; });
        top1 += better < 1;
        top3 += better < 3;
        top5 += better < 5;
        first += question.children.size();
    }
    const double all = std::max(1.0, static_cast<double>(set.questions.size()));
    report.top1 = static_cast<double>(top1) / all;
    report.top3 = static_cast<double>(top3) / all;
    report.top5 = static_cast<double>(top5) / all;
    report.questions = set.questions.size();
}

void measure_siblings(const ValidationSet& set, const MoverScores& scores_of,
                      ValidationReport& report) {
    const std::vector<float> scores =
        score_children(std::span<const SiblingQuestion>(set.siblings), scores_of);
    model::PairOrder order;
    std::size_t first = 0;
    for (const SiblingQuestion& question : set.siblings) {
        const std::size_t count = question.children.size();
        order.add(std::span(scores).subspan(first, count), question.labels);
        first += count;
    }
    report.siblings_in_order = order.share();
    report.sibling_pairs = order.pairs;
}

}  // namespace

void measure_order(const ValidationSet& set, std::span<const float> scores,
                   std::span<const float> aims, ValidationReport& report) {
    report.spearman = model::spearman(scores, aims);
    report.kendall = model::kendall_tau(scores, aims);
    report.within_200 = balanced_spearman(set, scores, aims, 200, false);
    report.within_200_quiet = balanced_spearman(set, scores, aims, 200, true);
    report.within_100 = balanced_spearman(set, scores, aims, 100, false);
    report.within_100_quiet = balanced_spearman(set, scores, aims, 100, true);
    report.positions = set.positions.size();
    report.balanced = static_cast<std::size_t>(
        std::count_if(set.centipawns.begin(), set.centipawns.end(),
                      [](int centipawns) { return std::abs(centipawns) <= 200; }));
}

void measure_moves(const ValidationSet& set, const MoverScores& scores_of,
                   ValidationReport& report) {
    measure_recall(set, scores_of, report);
    measure_siblings(set, scores_of, report);
}

}  // namespace solis::train
