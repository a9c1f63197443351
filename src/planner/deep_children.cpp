// Groups of children.
#include "planner/deep_children.h"

#include <algorithm>
#include <array>

namespace solis::planner {
namespace {

using chess::Move;
using chess::Position;

// How much the history may move a child in the order of latent values: kMax / this.
constexpr int kHistoryWeight = 12;

}  // namespace

bool is_quiet(const Position& position, Move move) {
    return !position.is_capture(move) && move.kind() != chess::MoveKind::Promotion;
}

ChildStream::ChildStream(const Position& position, Move table_move, bool near_leaf,
                         std::vector<Child>& children, ChildScorer& scorer,
                         const MoveHistory& history, const DeepTuning& tuning)
    : position_(position),
      children_(children),
      scorer_(scorer),
      history_(history),
      tuning_(tuning),
      near_leaf_(near_leaf) {
    children_.clear();
    order_moves(table_move);
}

void ChildStream::order_moves(Move table_move) {
    const chess::MoveList all = chess::legal_moves(position_);
    if (table_move != Move() && all.contains(table_move)) moves_.add(table_move);
    table_end_ = moves_.size();
    struct Quiet {
        int history;
        Move move;
    };
    std::array<Quiet, 256> quiet;
    std::size_t quiet_count = 0;
    for (const Move move : all) {
        if (move == table_move) continue;
        if (!near_leaf_ || !is_quiet(position_, move)) {
            moves_.add(move);
            continue;
        }
        // Insertion: lists are short, and equal ones keep their order.
        const int history = history_.of(position_, move);
        std::size_t at = quiet_count++;
        for (; at > 0 && quiet[at - 1].history < history; --at) quiet[at] = quiet[at - 1];
        quiet[at] = {history, move};
    }
    quiet_begin_ = moves_.size();
    for (std::size_t i = 0; i < quiet_count; ++i) moves_.add(quiet[i].move);
}

std::size_t ChildStream::group_end() const {
    if (next_ < table_end_) return table_end_;
    if (next_ < quiet_begin_) return quiet_begin_;
    return std::min(next_ + static_cast<std::size_t>(tuning_.group), moves_.size());
}

bool ChildStream::more() {
    if (next_ == moves_.size()) return false;
    const std::size_t end = group_end();
    const std::size_t first = children_.size();
    scorer_.append(position_, {moves_.begin() + next_, end - next_}, children_);
    next_ = end;
    order_group(first);
    return true;
}

void ChildStream::order_group(std::size_t first) {
    for (std::size_t i = first; i < children_.size(); ++i) {
        Child child = children_[i];
        child.order = child.value;
        if (tuning_.history && !child.finished && is_quiet(position_, child.move)) {
            child.order += history_.of(position_, child.move) / kHistoryWeight;
        }
        std::size_t at = i;
        for (; at > first && children_[at - 1].order < child.order; --at) {
            children_[at] = children_[at - 1];
        }
        children_[at] = child;
    }
}

}  // namespace solis::planner
