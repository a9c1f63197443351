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
    const Node node{position, 0, position.in_check(), false};
    Frame& here = frame(0);
    here.line_length = 0;
    frame(1).killers = {};
    frame(1).cutoffs = 0;
    root_depth_ = depth;
    here.threats = Threats(position);
    appraise(node, std::nullopt);
    const Course course{depth, {alpha, beta}, std::nullopt, here.value, true, true, true};
    Value best = -kInfinite;
    for (std::size_t i = first; i < root_moves_.size(); ++i) {
        RootMove& move = root_moves_[i];
        if (role_ == Role::Leader && task_.time.elapsed() >= kMovesShownAfter) {
            task_.observer.on_move(depth, move.move, static_cast<int>(i) + 1);
        }
        const std::uint64_t visited_before = visited_;
        selective_depth_ = 0;
        const int rank = static_cast<int>(i - first);
        const bool quiet = is_quiet(position, move.move);
        Candidate candidate{
            move.move, quiet, false, position.after(move.move).in_check(),
            quiet ? quiet_tendency(moves_, move_context(0), position, move.move) : 0};
        candidate.reduction = reduction_of(node, course, candidate, rank);
        const Value value = move.finished ? (is_decided(move.latent) ? move.latent : 0)
                                          : search_move(node, course, candidate,
                                                        std::max(alpha, best), best, rank, 0);
        if (move.finished) frame(1).line_length = 0;
        move.effort += visited_ - visited_before;
        move.visited += visited_ - visited_before;
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
            move.current.moves.assign(here.line.begin(), here.line.begin() + here.line_length);
            move.current.depth = depth;
            move.current.selective_depth = std::max(selective_depth_, depth);
        }
        best = std::max(best, value);
        if (best >= beta) break;
    }
    return best;
}

}  // namespace solis::planner
