// Leaves of the deep plan: settled by captures, promotions and answers to checks before they are
// trusted.
#include <algorithm>

#include "solis/planner/deep/search.h"

namespace solis::planner {
namespace {

using chess::Move;
using chess::Position;

// Plies of settling during which a check is answered by all moves; later the latent score stands.
constexpr int kEvasionPlies = 3;

}  // namespace

Value DeepSearch::settle(const Node& node, Window window, int quiet_plies) {
    check_limits();
    if (ended()) return 0;
    frames_[static_cast<std::size_t>(node.ply)].line.clear();
    if (const auto known = known_before(node, window)) return *known;
    if (const auto entry = shared_.table.find(key_of(node.position)); entry && window.is_zero()) {
        const Value value = from_table(entry->value, node.ply);
        if (decides(entry->bound, value, window.alpha, window.beta)) return value;
    }
    const bool evades = node.in_check && quiet_plies < kEvasionPlies;
    Best best;
    Value alpha = window.alpha;
    if (!evades) {
        best.value = node.latent;
        if (best.value >= window.beta) return best.value;
        alpha = std::max(alpha, best.value);
    }
    const chess::MoveList moves =
        evades ? chess::legal_moves(node.position) : chess::legal_captures(node.position);
    std::vector<Child>& children = frames_[static_cast<std::size_t>(node.ply)].children;
    scorer_.score(node.position, {moves.begin(), moves.end()}, children);
    rank(children);
    for (std::size_t i = 0; i < children.size(); ++i) {
        const Child child = children[i];
        Value value = 0;
        frames_[static_cast<std::size_t>(node.ply) + 1].line.clear();
        if (child.finished) {
            value = value_at(child, node.ply);
        } else if (child.value <= alpha && (best.value > -kDecidedBound)) {
            // Settling can only lower it, except where the answer to a check is forced.
            best.value = std::max(best.value, child.value);
            break;
        } else {
            const Position position = node.position.after(child.move);
            keys_.push_back(position.key());
            const Node next{position, node.ply + 1, -child.value, child.check, false};
            value = -settle(next, {-window.beta, -alpha}, quiet_plies + 1);
            keys_.pop_back();
            if (ended()) return 0;
        }
        if (value <= best.value) continue;
        best = {value, child.move};
        if (value > alpha && !window.is_zero()) extend_line(node.ply, child.move);
        alpha = std::max(alpha, value);
        if (alpha >= window.beta) break;
    }
    store(node, 0, best, window);
    return best.value;
}

}  // namespace solis::planner
