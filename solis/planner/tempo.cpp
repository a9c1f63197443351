// Measured where nobody has an advantage yet.
#include "solis/planner/tempo.h"

#include <algorithm>

#include "solis/planner/child_scorer.h"

namespace solis::planner {

Value measured_tempo(const model::LoadedModel& model) {
    const ValueScale scale(model, Scoring::Unanchored);
    ChildScorer scorer(model, scale);
    std::vector<Value> disagreements;
    std::vector<Child> children;
    const chess::Position& start = chess::Position::start();
    const chess::MoveList moves = chess::legal_moves(start);
    const std::size_t step = model.traits().positions_per_look == SIZE_MAX ? 1 : 7;
    for (std::size_t i = 0; i < moves.size(); i += step) {
        const chess::Position position = start.after(moves[i]);
        const chess::MoveList answers = chess::legal_moves(position);
        scorer.score(position, {answers.begin(), answers.end()}, children);
        rank(children);
        disagreements.push_back((scorer.score(position) - children.front().value) / 2);
    }
    std::sort(disagreements.begin(), disagreements.end());
    return disagreements[disagreements.size() / 2];
}

}  // namespace solis::planner
