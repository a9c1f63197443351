// The root of the deep plan: its moves one by one, in the order in which the previous iteration
// ranked them.
#include <algorithm>

#include "solis/planner/deep/search.h"

namespace solis::planner {
namespace {

// In the first second the root moves change faster than a user can read.
constexpr Milliseconds kMovesShownAfter{1000};

}  // namespace

Value DeepSearch::search_root(int depth, Value alpha, Value beta, std::size_t first) {
    const chess::Position& position = task_.root();
    const Node node{position, 0, root_latent_, position.in_check(), false, false};
    frame(0).line.clear();
    root_depth_ = depth;
    const Course course{depth, {alpha, beta}, {}, 0, note_improving(node)};
    Value best = -kInfinite;
    for (std::size_t i = first; i < root_moves_.size(); ++i) {
        RootMove& move = root_moves_[i];
        if (role_ == Role::Leader && task_.time.elapsed() >= kMovesShownAfter) {
            task_.observer.on_move(depth, move.move, static_cast<int>(i) + 1);
        }
        const chess::Position after = position.after(move.move);
        const std::uint64_t visited_before = visited_;
        selective_depth_ = 0;
        const Child child{move.move, move.finished, after.in_check(), move.latent, move.latent};
        const int rank = static_cast<int>(i - first);
        const Window window{std::max(alpha, best), beta};
        const int less = reduction_of(node, child, course, window, rank);
        const Value value = search_child(node, child, {depth, window, rank, less, 0});
        move.effort = visited_ - visited_before;
        move.visited += move.effort;
        if (ended()) break;
        if (rank > 0 && value <= std::max(alpha, best)) {
            move.current.value = -kInfinite;
            continue;
        }
        move.current.value = value;
        move.current.bound = value <= alpha  ? Bound::Upper
                             : value >= beta ? Bound::Lower
                                             : Bound::Exact;
        if (move.has_result()) {
            extend_line(0, move.move);
            move.current.moves = frame(0).line;
            move.current.depth = depth;
            move.current.selective_depth = std::max(selective_depth_, depth);
        }
        best = std::max(best, value);
        if (best >= beta) break;
    }
    return best;
}

}  // namespace solis::planner
