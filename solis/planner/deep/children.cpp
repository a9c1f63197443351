// How the moves of a node are divided into groups and ordered.
#include "solis/planner/deep/children.h"

#include <algorithm>

#include "solis/chess/legality.h"

namespace solis::planner {
namespace {

using chess::Bitboard;
using chess::Move;
using chess::Position;

// The history changes the value by which a child is ordered by up to kMax divided by this.
constexpr int kHistoryWeight = 12;

}  // namespace

bool is_quiet(const Position& position, Move move) {
    return !position.is_capture(move) && move.kind() != chess::MoveKind::Promotion;
}

ChildStream::ChildStream(const Parent& parent, std::vector<Child>& children, ChildScorer& scorer,
                         MoveMemory& memory, const DeepTuning& tuning)
    : parent_(parent), children_(children), scorer_(scorer), memory_(memory), tuning_(tuning) {
    children_.clear();
    order_moves();
}

void ChildStream::insert_quiet(const Quiet& quiet) {
    // Insertion sort: the lists are short, and moves of equal gain keep their order.
    std::size_t at = quiet_count_++;
    for (; at > 0 && quiet_[at - 1].expected < quiet.expected; --at) quiet_[at] = quiet_[at - 1];
    quiet_[at] = quiet;
}

void ChildStream::order_moves() {
    const Position& position = parent_.position;
    const chess::MoveList all = chess::legal_moves(position);
    const Move table_move = parent_.table_move;
    if (table_move != Move() && all.contains(table_move)) moves_.add(table_move);
    table_end_ = moves_.size();
    const Bitboard attacked =
        parent_.near_leaf ? chess::attacked_squares(position, ~position.side_to_move()) : 0;
    for (const Move move : all) {
        if (move == table_move) continue;
        if (!parent_.near_leaf || !is_quiet(position, move)) {
            moves_.add(move);
            continue;
        }
        const MoveGains::Kind kind = MoveGains::kind(position, move, attacked);
        const Value gain = tuning_.gains ? memory_.gains.of(kind) : 0;
        insert_quiet({gain + memory_.history.of(position, move) / kHistoryWeight, kind, move});
    }
    quiet_begin_ = moves_.size();
    for (std::size_t i = 0; i < quiet_count_; ++i) moves_.add(quiet_[i].move);
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
    scorer_.append(parent_.position, {moves_.begin() + next_, end - next_}, children_);
    learn(end, first);
    next_ = end;
    order_group(first);
    return true;
}

// Teaches MoveGains what the quiet moves of a new group gained. The children from `first` on belong
// to the moves from next_ to `end`, in this order.
void ChildStream::learn(std::size_t end, std::size_t first) {
    if (!parent_.near_leaf || scorer_.interrupted()) return;
    for (std::size_t i = std::max(next_, quiet_begin_); i < end; ++i) {
        const Child& child = children_[first + i - next_];
        if (child.finished) continue;
        memory_.gains.learn(quiet_[i - quiet_begin_].kind, child.value - parent_.latent);
    }
}

void ChildStream::order_group(std::size_t first) {
    for (std::size_t i = first; i < children_.size(); ++i) {
        Child child = children_[i];
        child.order = child.value;
        if (tuning_.history && !child.finished && is_quiet(parent_.position, child.move)) {
            child.order += memory_.history.of(parent_.position, child.move) / kHistoryWeight;
        }
        std::size_t at = i;
        for (; at > first && children_[at - 1].order < child.order; --at) {
            children_[at] = children_[at - 1];
        }
        children_[at] = child;
    }
}

}  // namespace solis::planner
