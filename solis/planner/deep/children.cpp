// How the moves of a node are divided into groups and ordered.
#include "solis/planner/deep/children.h"

#include <algorithm>

#include "solis/chess/legality.h"
#include "solis/planner/deep/exchange_order.h"

namespace solis::planner {
namespace {

using chess::Bitboard;
using chess::Move;
using chess::Position;

// What a killer is worth in the order of moves, beside what the histories say of it.
constexpr int kKillerOrder = 300;

}  // namespace

bool is_quiet(const Position& position, Move move) {
    return !position.is_capture(move) && move.kind() != chess::MoveKind::Promotion;
}

ChildStream::ChildStream(const Parent& parent, std::vector<Child>& children, ChildScorer& scorer,
                         MoveMemory& memory, const DeepTuning& tuning)
    : parent_(parent), children_(children), scorer_(scorer), memory_(memory), tuning_(tuning) {
    children_.clear();
    if (parent.table_move != Move() && chess::is_legal(parent.position, parent.table_move)) {
        moves_.add(parent.table_move);
    }
    table_end_ = moves_.size();
}

void ChildStream::insert_quiet(const Quiet& quiet) {
    // Insertion sort: the lists are short, and moves of equal gain keep their order.
    std::size_t at = quiet_count_++;
    for (; at > 0 && quiet_[at - 1].expected < quiet.expected; --at) quiet_[at] = quiet_[at - 1];
    quiet_[at] = quiet;
}

int ChildStream::history_order(Move move) const {
    if (!tuning_.history) return 0;
    const Position& position = parent_.position;
    if (!is_quiet(position, move)) {
        return memory_.captures.of(position, move) / tuning_.history_weight;
    }
    const int tendency = tuning_.continuations
                             ? quiet_tendency(memory_, parent_.before, position, move)
                             : memory_.history.of(position, move);
    const bool killer = move == parent_.killers[0] || move == parent_.killers[1];
    return tendency / tuning_.history_weight + (killer ? kKillerOrder : 0);
}

void ChildStream::order_moves() {
    if (ordered_) return;
    ordered_ = true;
    const chess::MoveList all = chess::legal_moves(parent_.position);
    if (parent_.lazy) return order_lazily(all);
    for (const Move move : all) {
        if (move != parent_.table_move) moves_.add(move);
    }
    quiet_begin_ = moves_.size();
}

void ChildStream::order_lazily(const chess::MoveList& all) {
    const Position& position = parent_.position;
    const Bitboard attacked = chess::attacked_squares(position, ~position.side_to_move());
    chess::MoveList losing;
    for (const Move move : all) {
        if (move == parent_.table_move) continue;
        if (!is_quiet(position, move)) {
            const bool loses = tuning_.exchanges && loses_exchange(position, move);
            (loses ? losing : moves_).add(move);
            continue;
        }
        const MoveGains::Kind kind = MoveGains::kind(position, move, attacked);
        const Value gain = tuning_.gains ? memory_.gains.of(kind) : 0;
        const int history = history_order(move);
        insert_quiet({gain + history, history, kind, move});
    }
    quiet_begin_ = moves_.size();
    for (std::size_t i = 0; i < quiet_count_; ++i) moves_.add(quiet_[i].move);
    for (const Move move : losing) moves_.add(move);
}

std::size_t ChildStream::group_end() const {
    if (next_ < table_end_) return table_end_;
    if (next_ < quiet_begin_) return quiet_begin_;
    if (next_ >= quiet_end()) return moves_.size();
    const int size = parent_.expect_cut ? tuning_.cut_group : tuning_.group;
    return std::min(next_ + static_cast<std::size_t>(size), quiet_end());
}

bool ChildStream::more() {
    if (next_ >= table_end_) order_moves();
    if (next_ == moves_.size()) return false;
    const std::size_t end = group_end();
    const std::size_t first = children_.size();
    scorer_.append(parent_.position, {moves_.begin() + next_, end - next_}, children_);
    learn(end, first);
    for (std::size_t i = first; i < children_.size(); ++i) {
        const std::size_t at = next_ + i - first;
        const bool known = at >= quiet_begin_ && at < quiet_end();
        Child& child = children_[i];
        child.order = child.value;
        if (child.finished) continue;
        child.order += known ? quiet_[at - quiet_begin_].history : history_order(child.move);
    }
    next_ = end;
    order_group(first);
    return true;
}

// Teaches MoveGains what the quiet moves of a new group gained. The children from `first` on belong
// to the moves from next_ to `end`, in this order.
void ChildStream::learn(std::size_t end, std::size_t first) {
    if (!parent_.lazy || scorer_.interrupted()) return;
    for (std::size_t i = std::max(next_, quiet_begin_); i < std::min(end, quiet_end()); ++i) {
        const Child& child = children_[first + i - next_];
        if (child.finished) continue;
        memory_.gains.learn(quiet_[i - quiet_begin_].kind, child.value - parent_.latent);
    }
}

void ChildStream::order_group(std::size_t first) {
    for (std::size_t i = first; i < children_.size(); ++i) {
        const Child child = children_[i];
        std::size_t at = i;
        for (; at > first && children_[at - 1].order < child.order; --at) {
            children_[at] = children_[at - 1];
        }
        children_[at] = child;
    }
}

}  // namespace solis::planner
