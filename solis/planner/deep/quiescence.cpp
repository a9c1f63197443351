// Quiescence search of the deep plan.
#include <algorithm>

#include "solis/planner/deep/search.h"

namespace solis::planner {
namespace {

// In the first plies of quiescence a check is answered with every legal move. Later the latent
// score of a node in check is taken as it is, or series of checks would never end.
constexpr int kEvasionPlies = 3;

}  // namespace

Value DeepSearch::quiescence(const Node& node, Window window, int plies) {
    // Step 1. Limits, draws by rule, tablebases, mate distance pruning, as in search().
    count_visit();
    if (ended()) return 0;
    frame(node.ply).line.clear();
    if (const auto result = early_result(node, window)) return *result;

    // Step 2. Transposition table.
    if (const auto entry = shared_.table.find(key_of(node.position)); entry && window.is_null()) {
        const Value value = from_table(entry->value, node.ply);
        if (decides(entry->bound, value, window.alpha, window.beta)) return value;
    }

    // Step 3. Stand pat: outside of checks the side to move need not capture.
    const bool evades = node.in_check && plies < kEvasionPlies;
    Best best;
    Value alpha = window.alpha;
    if (!evades) {
        best.value = node.latent;
        if (best.value >= window.beta) return best.value;
        alpha = std::max(alpha, best.value);
    }

    // Step 4. Captures and promotions, or evasions, in the order of their latent scores.
    const chess::MoveList moves =
        evades ? chess::legal_moves(node.position) : chess::legal_captures(node.position);
    std::vector<Child>& children = frame(node.ply).children;
    scorer_.score(node.position, {moves.begin(), moves.end()}, children);
    rank(children);
    for (std::size_t i = 0; i < children.size(); ++i) {
        const Child child = children[i];
        Value value = 0;
        frame(node.ply + 1).line.clear();
        if (child.finished) {
            value = value_at(child, node.ply);
        } else if (child.value <= alpha && best.value > -kDecidedBound) {
            // The opponent may stand pat in this child and in all that rank below it.
            best.value = std::max(best.value, child.value);
            break;
        } else {
            const chess::Position position = node.position.after(child.move);
            keys_.push_back(position.key());
            const Node next{position, node.ply + 1, -child.value, child.check, false};
            value = -quiescence(next, {-window.beta, -alpha}, plies + 1);
            keys_.pop_back();
            if (ended()) return 0;
        }
        if (value <= best.value) continue;
        best = {value, child.move};
        if (value > alpha && !window.is_null()) extend_line(node.ply, child.move);
        alpha = std::max(alpha, value);
        if (alpha >= window.beta) break;
    }
    store(node, 0, best, window);
    return best.value;
}

}  // namespace solis::planner
