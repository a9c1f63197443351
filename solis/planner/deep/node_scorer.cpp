// One position at a time where a node is visited, all children at once where they are ranked.
#include "solis/planner/deep/node_scorer.h"

namespace solis::planner {

using chess::Position;

NodeScorer::NodeScorer(const model::LoadedModel& model, model::Evaluator& evaluator,
                       const ValueScale& scale, const LogOdds& log_odds, Value tempo,
                       LatentCache& cache)
    : model_(model),
      evaluator_(evaluator),
      traits_(model.traits()),
      scale_(scale),
      log_odds_(log_odds),
      tempo_(tempo),
      cache_(cache) {}

Value NodeScorer::value_of(const Position& position, float score) const {
    // Distances to mate know whose move it is: the tempo is for the other scores.
    const Value tempo = model_.has_ending(position) ? 0 : tempo_;
    return log_odds_.from_plan(scale_.of_score(score, position) - tempo,
                               scale_.draw(position.side_to_move()));
}

Value NodeScorer::score(const Position& position, std::uint64_t key) {
    if (const auto known = cache_.find(key)) return *known;
    ++embedded_;
    const Value value = value_of(position, evaluator_.score(position));
    cache_.store(key, value);
    return value;
}

void NodeScorer::score_children(const Position& parent, std::span<const chess::Move> moves,
                                std::span<Value> values) {
    ranked_ += moves.size();
    unknown_.clear();
    positions_.clear();
    for (std::size_t i = 0; i < moves.size(); ++i) {
        const Position child = parent.after(moves[i]);
        if (const auto known = cache_.find(key_of(child))) {
            values[i] = -*known;
            continue;
        }
        unknown_.push_back(i);
        positions_.push_back(child);
    }
    scores_.resize(positions_.size());
    evaluator_.score_children(parent, positions_, scores_);
    embedded_ += positions_.size();
    for (std::size_t i = 0; i < positions_.size(); ++i) {
        const Value value = value_of(positions_[i], scores_[i]);
        cache_.store(key_of(positions_[i]), value);
        values[unknown_[i]] = -value;
    }
}

}  // namespace solis::planner
