// One batch per node.
#include "solis/planner/child_scorer.h"

#include <algorithm>

#include "solis/chess/rules.h"

namespace solis::planner {
namespace {

using chess::Position;

// Of a child that was not embedded in time: below all that were.
constexpr Value kNoScore = -3 * kScoreUnit;

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

void ChildScorer::append(const Position& parent, std::span<const chess::Move> moves,
                         std::vector<Child>& children) {
    const std::size_t first = children.size();
    scored_ += moves.size();
    unknown_.clear();
    positions_.clear();
    for (std::size_t i = 0; i < moves.size(); ++i) {
        const Position position = parent.after(moves[i]);
        children.push_back(judge_by_rules(moves[i], position, scale_));
        if (children.back().finished) continue;
        unknown_.push_back(i);
        positions_.push_back(position);
    }
    embed_unknown(parent, std::span(children).subspan(first));
}

std::size_t ChildScorer::embed_positions(const Position& parent) {
    scores_.resize(positions_.size());
    std::size_t done = 0;
    while (done < positions_.size()) {
        if (since_look_ >= traits_.positions_per_look) {
            since_look_ = 0;
            interrupted_ = interrupted_ || (unwanted_ && unwanted_());
        }
        if (interrupted_) break;
        const std::size_t count =
            std::min(positions_.size() - done, traits_.positions_per_look - since_look_);
        evaluator_->score_children(parent, std::span(positions_).subspan(done, count),
                                   std::span(scores_).subspan(done, count));
        since_look_ += count;
        done += count;
    }
    embedded_ += done;
    return done;
}

void ChildScorer::embed_unknown(const Position& parent, std::span<Child> children) {
    const std::size_t done = embed_positions(parent);
    for (std::size_t i = 0; i < unknown_.size(); ++i) {
        Child& child = children[unknown_[i]];
        if (i >= done) {
            child.value = kNoScore;
            continue;
        }
        child.value = -value_of(positions_[i], scores_[i]);
    }
}

Value ChildScorer::score(const Position& position) {
    ++scored_;
    ++embedded_;
    ++since_look_;
    return value_of(position, evaluator_->score(position));
}

void rank(std::vector<Child>& children) {
    std::stable_sort(children.begin(), children.end(),
                     [](const Child& a, const Child& b) { return a.value > b.value; });
}

}  // namespace solis::planner
