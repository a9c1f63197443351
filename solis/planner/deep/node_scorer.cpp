// From a position to its value.
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

}  // namespace solis::planner
