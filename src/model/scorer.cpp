// Scoring with a model.
#include "model/scorer.h"

#include <algorithm>

#include "chess/movegen.h"
#include "chess/rules.h"

namespace solis::model {
namespace {

using chess::Color;
using chess::Position;

// What the mover of a position sees, as White sees it.
float for_white(const Position& position, float score) {
    return position.side_to_move() == Color::White ? score : -score;
}

}  // namespace

Scorer::Scorer(std::shared_ptr<const ModelFile> model, std::shared_ptr<const nn::SwiftInteger> net)
    : model_(std::move(model)),
      net_(std::move(net)),
      evaluator_(*net_, model_->encoder.features, model_->axis->direction) {}

Result<Scorer> Scorer::from(ModelFile model) {
    if (auto ok = model.check_can_score(); !ok) return tl::unexpected(ok.error());
    const SwiftEncoder& encoder = model.encoder;
    const float reach = accumulator_reach(encoder.features, encoder.shape, encoder.weights);
    auto net = nn::SwiftInteger::quantize(encoder.shape, encoder.weights, reach);
    if (!net) return tl::unexpected(net.error());
    return Scorer(std::make_shared<const ModelFile>(std::move(model)),
                  std::make_shared<const nn::SwiftInteger>(std::move(*net)));
}

void Scorer::embed(const Position& position, std::span<float> z) {
    evaluator_.embed(position, z);
    if (position.side_to_move() == Color::Black) model_->axis->reflect(z);
}

float Scorer::score(const Position& position) {
    return for_white(position, evaluator_.score(position));
}

Scorer::RankedMove Scorer::judge(chess::Move move, const Position& child, float child_score) const {
    if (!chess::has_legal_move(child) || chess::is_insufficient_material(child)) {
        const bool mate = child.in_check() && !chess::has_legal_move(child);
        // Cosines lie in [-1, 1]; a finished game is as far as they go.
        const double score =
            mate ? static_cast<double>(for_white(child, -1.0f)) : model_->calibration->draw_score();
        const double p = mate ? (score > 0 ? 1.0 : 0.0) : 0.5;
        return {move, static_cast<float>(score), p, true};
    }
    const float score = for_white(child, child_score);
    return {move, score, win_probability(static_cast<double>(score)), false};
}

std::vector<Scorer::RankedMove> Scorer::rank_moves(const Position& position) {
    std::vector<Position> children;
    const chess::MoveList moves = chess::legal_moves(position);
    for (const chess::Move move : moves) children.push_back(position.after(move));
    std::vector<float> scores(children.size());
    evaluator_.score_children(position, children, scores);
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
