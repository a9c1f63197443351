// Pruning and reductions of single moves of the deep plan.
#include <algorithm>

#include "solis/planner/deep/exchange_order.h"
#include "solis/planner/deep/reductions.h"
#include "solis/planner/deep/search.h"

namespace solis::planner {
namespace {

constexpr int kCaptureFutilityDepth = 6;
constexpr int kHistoryPruningDepth = 4;
constexpr int kExchangeDepth = 8;

// How many steps in the order of pieces a move may lose in an exchange: a quiet one that would be
// searched to so many plies, and a capture or check at a node of a depth.
int quiet_tolerance(int plies) { return plies < 4 ? plies / 2 : plies - 2; }
int capture_tolerance(int depth) { return (2 * depth + 1) / 3; }

}  // namespace

int DeepSearch::reduction_of(const Node& node, const Course& course, const Candidate& move,
                             int rank) const {
    return reduction({.depth = course.depth,
                      .rank = rank,
                      .tendency = move.tendency,
                      .principal = course.principal(),
                      .was_principal = course.was_principal,
                      .expected_cut = node.expect_cut,
                      .improving = course.improving,
                      .check = node.in_check || move.check,
                      .quiet = move.quiet,
                      .cutoffs = frame(node.ply + 1).cutoffs},
                     tuning_);
}

bool DeepSearch::is_pruned(const Node& node, const Course& course, const Candidate& move, int rank,
                           Value alpha, Progress& progress, MovePicker& picker) {
    // A side that is being mated must look at all its moves, and the first always.
    if (node.ply == 0 || rank == 0 || progress.best <= -kDecidedBound || node.in_check)
        return false;
    // It would be searched to so many.
    const int plies = std::max(course.depth - 1 - std::max(move.reduction, 0), 0);
    if (move.quiet) {
        // Late moves: the order of moves is good enough to leave out the rest.
        const int most = tuning_.late_moves_base + course.depth * course.depth;
        if (tuning_.late_moves && rank >= (course.improving ? most : most / 2)) {
            picker.skip_quiet();
            if (!move.check) return true;
        }
        if (move.check) return false;
        if (tuning_.history_pruning && plies <= kHistoryPruningDepth &&
            move.tendency < -tuning_.history_margin * (plies + 1)) {
            return true;
        }
        // Futility: the value is too far below alpha for what a quiet move gains.
        if (tuning_.futility && plies <= tuning_.futility_depth && !is_decided(alpha)) {
            const Value most_value = course.value + tuning_.futility_base +
                                     tuning_.futility_margin * plies +
                                     move.tendency / tuning_.futility_tendency;
            if (most_value <= alpha) {
                progress.best = std::max(progress.best, std::min(most_value, alpha));
                return true;
            }
        }
        return tuning_.exchanges && plies <= kExchangeDepth &&
               loses_exchange(node.position, move.move, quiet_tolerance(plies));
    }
    if (move.check) {
        return tuning_.exchanges && move.losing && course.depth <= kExchangeDepth &&
               loses_exchange(node.position, move.move, capture_tolerance(course.depth));
    }
    if (tuning_.futility && plies <= kCaptureFutilityDepth && !is_decided(alpha)) {
        const CaptureGains::Kind kind = CaptureGains::kind(node.position, move.move, move.losing);
        const Value most_value = course.value + moves_.gains.of(kind) + tuning_.capture_margin +
                                 tuning_.futility_margin * plies;
        if (most_value <= alpha) {
            progress.best = std::max(progress.best, std::min(most_value, alpha));
            return true;
        }
    }
    return tuning_.exchanges && move.losing && course.depth <= kExchangeDepth &&
           loses_exchange(node.position, move.move, capture_tolerance(course.depth));
}

}  // namespace solis::planner
