// Quiescence search of the deep plan.
#include <algorithm>

#include "solis/planner/deep/exchange_order.h"
#include "solis/planner/deep/search.h"

namespace solis::planner {
namespace {

// In the first plies of quiescence a check is answered with every legal move. Later the latent
// score of a node in check is taken as it is, or series of checks would never end.
constexpr int kEvasionPlies = 3;

}  // namespace

Value DeepSearch::list_quiescence(const Node& node, bool evades, Value standing, Value alpha) {
    const chess::Position& position = node.position;
    std::vector<Child>& children = frame(node.ply).children;
    if (evades) {
        const chess::MoveList moves = chess::legal_moves(position);
        scorer_.score(position, {moves.begin(), moves.end()}, children);
        rank(children);
        return -kInfinite;
    }
    const chess::Bitboard attacked = chess::attacked_squares(position, ~position.side_to_move());
    chess::MoveList moves;
    Value others = -kInfinite;
    for (const chess::Move move : chess::legal_captures(position)) {
        if (tuning_.exchanges && loses_exchange(position, move)) continue;
        const MoveGains::Kind kind = MoveGains::capture_kind(position, move, attacked);
        const Value bound = standing + moves_.gains.of(kind) + tuning_.capture_margin;
        if (tuning_.gains && bound <= alpha) {
            others = std::max(others, bound);
            continue;
        }
        moves.add(move);
    }
    scorer_.score(position, {moves.begin(), moves.end()}, children);
    if (!scorer_.interrupted()) {
        for (const Child& child : children) {
            if (child.finished) continue;
            const MoveGains::Kind kind = MoveGains::capture_kind(position, child.move, attacked);
            moves_.gains.learn(kind, child.value - node.latent);
        }
    }
    rank(children);
    return others;
}

Value DeepSearch::quiescence(const Node& node, Window window, int plies) {
    // Step 1. Limits, draws by rule, tablebases, mate distance pruning, as in search().
    count_visit();
    if (ended()) return 0;
    frame(node.ply).line.clear();
    if (const auto result = early_result(node, window)) return *result;

    // Step 2. Transposition table.
    const std::optional<TableEntry> entry = shared_.table.find(key_of(node.position));
    Value standing = node.latent;
    if (entry) {
        const Value value = from_table(entry->value, node.ply);
        if (window.is_null() && decides(entry->bound, value, window.alpha, window.beta)) {
            return value;
        }
        if (decides(entry->bound, value, standing, standing)) standing = value;
    }

    // Step 3. Stand pat: outside of checks the side to move need not capture.
    const bool evades = node.in_check && plies < kEvasionPlies;
    Best best;
    Value alpha = window.alpha;
    if (!evades) {
        best.value = standing;
        if (best.value >= window.beta) return best.value;
        alpha = std::max(alpha, best.value);
    }

    // Step 4. Captures and promotions, or evasions, in the order of their latent scores.
    const Value others = list_quiescence(node, evades, standing, alpha);
    const std::vector<Child>& children = frame(node.ply).children;
    best.value = std::max(best.value, others);
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
            frame(node.ply).played = piece_to(node.position, child.move);
            const Node next{position, node.ply + 1, -child.value, child.check, false, false};
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
