// Scoring with a model.
#include "solis/model/scorer.h"

#include <algorithm>

#include "solis/chess/movegen.h"
#include "solis/chess/rules.h"

namespace solis::model {
using chess::Color;
using chess::Position;

Scorer::Scorer(std::shared_ptr<const LoadedModel> model)
    : model_(std::move(model)), evaluator_(model_->make_evaluator()) {}

Result<Scorer> Scorer::from(ModelFile file) {
    file.endings = nullptr;
    auto model = prepare(std::move(file));
    if (!model) return tl::unexpected(model.error());
    return Scorer(std::move(*model));
}

Scorer::RankedMove Scorer::judge(chess::Move move, const Position& child, float child_score) const {
    if (!chess::has_legal_move(child) || chess::is_insufficient_material(child)) {
        const bool mate = child.in_check() && !chess::has_legal_move(child);
        // Cosines lie in [-1, 1]; a finished game is as far as they go.
        const double mated = child.side_to_move() == Color::White ? -1 : 1;
        const double score = mate ? mated : model_->calibration().draw_score();
        const double p = mate ? (score > 0 ? 1.0 : 0.0) : 0.5;
        return {move, static_cast<float>(score), p, true};
    }
    return {move, child_score, win_probability(static_cast<double>(child_score)), false};
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
    const bool white = position.side_to_move() == Color::White;
    std::stable_sort(ranked.begin(), ranked.end(), [&](const RankedMove& a, const RankedMove& b) {
        return white ? a.score > b.score : a.score < b.score;
    });
    return ranked;
}

}  // namespace solis::model
