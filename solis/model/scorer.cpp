// Scoring with a model.
#include "solis/model/scorer.h"

#include <algorithm>

#include "solis/chess/movegen.h"
#include "solis/chess/rules.h"

namespace solis::model {
namespace {

// Above all centred scores.
constexpr float kMateOrder = 10;

}  // namespace

using chess::Color;
using chess::Position;

Scorer::Scorer(std::shared_ptr<const LoadedModel> model)
    : model_(std::move(model)), evaluator_(model_->make_evaluator()) {}

Scorer::RankedMove Scorer::judge_finished(chess::Move move, const Position& child) const {
    const bool mate = child.in_check() && !chess::has_legal_move(child);
    const bool white_is_to_move = child.side_to_move() == Color::White;
    if (mate) {
        // Cosines lie in [-1, 1]; a finished game is as far as they go.
        const float score = white_is_to_move ? -1 : 1;
        return {move, score, white_is_to_move ? 0.0 : 1.0, true, false, kMateOrder};
    }
    const auto even = static_cast<float>(model_->calibration().draw_score());
    const bool reflected = model_->readout().view() == View::Mover && !white_is_to_move;
    return {move, reflected ? -even : even, 0.5, true, false, 0};
}

Scorer::RankedMove Scorer::judge(chess::Move move, const Position& child, float child_score) const {
    if (!chess::has_legal_move(child) || chess::is_insufficient_material(child)) {
        return judge_finished(move, child);
    }
    return {move,
            child_score,
            win_probability(child_score, child),
            false,
            model_->has_ending(child),
            -model_->centred_score(child_score, child)};
}

std::vector<Scorer::RankedMove> Scorer::rank_moves(const Position& position) {
    std::vector<Position> children;
    const chess::MoveList moves = chess::legal_moves(position);
    for (const chess::Move move : moves) children.push_back(position.after(move));
    std::vector<float> scores(children.size());
    evaluator_->score_children(position, children, scores);
    std::vector<RankedMove> ranked;
    for (std::size_t i = 0; i < children.size(); ++i) {
        ranked.push_back(judge(moves[i], children[i], scores[i]));
    }
    std::stable_sort(ranked.begin(), ranked.end(),
                     [](const RankedMove& a, const RankedMove& b) { return a.order > b.order; });
    return ranked;
}

}  // namespace solis::model
