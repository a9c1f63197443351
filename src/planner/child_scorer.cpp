// One batch per node.
#include "planner/child_scorer.h"

#include <algorithm>

#include "chess/rules.h"

namespace solis::planner {
namespace {

using chess::Position;

// A child before it is embedded: finished or not.
Child judge_by_rules(chess::Move move, const Position& position, const ValueScale& scale) {
    Child child{move, false, position.in_check()};
    if (!chess::has_legal_move(position)) {
        child.finished = true;
        child.value = child.check ? mate_in(1) : -scale.draw(position.side_to_move());
    } else if (chess::is_insufficient_material(position)) {
        child.finished = true;
        child.value = -scale.draw(position.side_to_move());
    }
    return child;
}

}  // namespace

void ChildScorer::score(const Position& parent, std::span<const chess::Move> moves,
                        std::vector<Child>& children) {
    children.clear();
    positions_.clear();
    for (const chess::Move move : moves) {
        positions_.push_back(parent.after(move));
        children.push_back(judge_by_rules(move, positions_.back(), scale_));
        if (children.back().finished) positions_.pop_back();
    }
    scores_.resize(positions_.size());
    evaluator_->score_children(parent, positions_, scores_);
    embedded_ += positions_.size();
    const chess::Color mover = parent.side_to_move();
    std::size_t next = 0;
    for (Child& child : children) {
        if (!child.finished) child.value = scale_.of_score(scores_[next++], mover) + tempo_;
    }
}

Value ChildScorer::score(const Position& position) {
    ++embedded_;
    return scale_.of_score(evaluator_->score(position), position.side_to_move()) - tempo_;
}

void rank(std::vector<Child>& children) {
    std::stable_sort(children.begin(), children.end(),
                     [](const Child& a, const Child& b) { return a.value > b.value; });
}

}  // namespace solis::planner
