// Quiescence search of the deep plan.
#include <algorithm>

#include "solis/planner/deep/search.h"

namespace solis::planner {
namespace {

// So many quiet answers to a check are searched once one of them does not lose by mate.
constexpr int kQuietEvasions = 2;
// So many captures are searched, beside those that give check or take back.
constexpr int kCaptures = 2;

// A value above beta that only captures stand for is believed in part.
Value softened(Value value, Value beta, int weight) {
    if (is_decided(value)) return value;
    return (weight * value + beta) / (weight + 1);
}

}  // namespace

Value DeepSearch::quiescence(const Node& node, Window window) {
    // Step 1. Limits, draws by rule, tablebases, mate distance pruning, as in search().
    count_visit();
    if (ended()) return 0;
    Frame& here = frame(node.ply);
    here.line_length = 0;
    if (const auto result = early_result(node, window)) return *result;

    // Step 2. Transposition table.
    const std::optional<TableEntry> entry = shared_.table.find(scorer_.key_of(node.position));
    Value known = kNoScore;
    if (entry) {
        known = from_table(entry->value, node.ply);
        if (window.is_null() && decides(entry->bound, known, window.alpha, window.beta)) {
            return known;
        }
    }

    // Step 3. Stand pat: outside of checks the side to move need not capture.
    appraise(node, entry);
    Value best = -kInfinite;
    Value alpha = window.alpha;
    if (!node.in_check) {
        best = here.value;
        // Not a mate: its line is still to be found.
        if (known != kNoScore && !is_decided(known) && decides(entry->bound, known, best, best)) {
            best = known;
        }
        if (best >= window.beta) return softened(best, window.beta, 1);
        alpha = std::max(alpha, best);
    }

    // Step 4. Captures and promotions, or all answers to a check.
    chess::Move best_move;
    const Value standing = here.value;
    if (node.in_check) here.threats = Threats(node.position);
    MovePicker picker({.position = node.position,
                       .table_move = entry ? entry->move : chess::Move(),
                       .context = move_context(node.ply),
                       .threats = here.threats,
                       .in_check = node.in_check,
                       .captures_only = true},
                      moves_);
    std::optional<CheckSquares> checks;  // most leaves have no capture that is tried
    const PieceTo last = played(node.ply - 1);
    const chess::Square recaptured =
        last == kNoPieceTo ? chess::Square::None : chess::square_at(last % 64);
    int quiet_count = 0, moves = 0;
    for (MovePicker::Choice choice; picker.next(choice);) {
        ++moves;
        if (!checks) checks.emplace(node.position);
        const bool check = checks->gives_check(node.position, choice.move);
        const bool may_prune = best > -kDecidedBound;
        CaptureGains::Kind kind = 0;
        if (node.in_check) {
            if (may_prune && choice.quiet && ++quiet_count > kQuietEvasions) picker.skip_quiet();
        } else {
            kind = CaptureGains::kind(node.position, choice.move, false);
            if (may_prune && !check && !is_decided(alpha) && choice.move.to() != recaptured) {
                if (moves > kCaptures) continue;
                const Value most = standing + moves_.gains.of(kind) + tuning_.capture_margin;
                if (most <= alpha) {
                    best = std::max(best, most);
                    continue;
                }
            }
        }
        prefetch_child(node.position, choice.move);
        const chess::Position position = node.position.after(choice.move);
        keys_.push_back(position.key());
        here.played = piece_to(node.position, choice.move);
        const Node next{position, node.ply + 1, check, false};
        frame(node.ply + 1).latent = kNoScore;
        const Value value = -quiescence(next, {-window.beta, -alpha});
        keys_.pop_back();
        if (ended()) return 0;
        if (!node.in_check && frame(node.ply + 1).latent != kNoScore) {
            moves_.gains.learn(kind, -frame(node.ply + 1).latent - here.latent);
        }
        if (value <= best) continue;
        best = value;
        if (value <= alpha) continue;
        alpha = value;
        best_move = choice.move;
        if (!window.is_null()) extend_line(node.ply, choice.move);
        if (alpha >= window.beta) break;
    }
    if (node.in_check && moves == 0) return mated_in(node.ply);
    if (best >= window.beta) best = softened(best, window.beta, 3);
    store(node, 0, best, best_move, window, entry && entry->principal);
    return best;
}

}  // namespace solis::planner
