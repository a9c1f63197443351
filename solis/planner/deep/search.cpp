// Alpha-beta over latent-ranked children.
#include "solis/planner/deep/search.h"

#include <algorithm>

#include "solis/chess/rules.h"
#include "solis/planner/repetition.h"
#include "solis/planner/root.h"

namespace solis::planner {
namespace {

using chess::Move;
using chess::Position;

}  // namespace

DeepSearch::DeepSearch(const Task& task, SharedSearch& shared, ThreadMemory& memory, Role role)
    : task_(task),
      role_(role),
      tuning_(task.settings.deep),
      shared_(shared),
      moves_(memory.moves),
      scorer_(task.model, *memory.evaluator, task.scale, task.settings.deep.tempo.value_or(0),
              task.settings.deep.score_cache ? &memory.cache : nullptr),
      reads_counters_(task.model.traits().reads_counters),
      frames_(kMaxPly + 2),
      keys_(task.game.keys().begin(), task.game.keys().end()),
      game_length_(keys_.size()) {
    scorer_.interrupt_when([&] { return shared.ended || task.must_end(); });
    std::vector<Child> children;
    scorer_.score(task.root(), task.root_moves, children);
    rank(children);
    for (const Child& child : children) {
        root_moves_.push_back(
            {.move = child.move, .finished = child.finished, .latent = child.value});
    }
    root_latent_ = scorer_.score(task.root());
}

void DeepSearch::publish_effort() {
    const std::uint64_t scored = scorer_.scored();
    const std::uint64_t embedded = scorer_.embedded();
    shared_.scored.fetch_add(scored - published_scored_, std::memory_order_relaxed);
    shared_.embedded.fetch_add(embedded - published_embedded_, std::memory_order_relaxed);
    published_scored_ = scored;
    published_embedded_ = embedded;
}

void DeepSearch::count_visit() {
    // Every eighth visit is often enough: a visit takes some microseconds.
    if ((++visited_ & 7) != 0) return;
    publish_effort();
    if (role_ == Role::Helper) return;
    if (task_.must_end(shared_.scored.load(std::memory_order_relaxed),
                       shared_.embedded.load(std::memory_order_relaxed))) {
        shared_.ended = true;
    }
}

Value DeepSearch::value_at(const Child& child, int ply) const {
    return is_decided(child.value) ? from_table(child.value, ply) : child.value;
}

void DeepSearch::extend_line(int ply, Move move) {
    const std::vector<Move>& below = frame(ply + 1).line;
    std::vector<Move>& line = frame(ply).line;
    line.assign(1, move);
    line.insert(line.end(), below.begin(), below.end());
}

Value DeepSearch::search(const Node& node, int depth, Window window) {
    // Step 1. At the horizon only exchanges and checks are searched on.
    if (depth <= 0) return quiescence(node, window, 0);

    // Step 2. Limits.
    count_visit();
    if (ended()) return 0;

    // Step 3. Draws by rule, tablebases, mate distance pruning.
    frame(node.ply).line.clear();
    if (const auto result = early_result(node, window)) return *result;

    // Step 4. Transposition table: a cutoff, or at least a better estimate than the latent score.
    const std::optional<TableEntry> entry = shared_.table.find(key_of(node.position));
    Value estimate = node.latent;
    if (entry) {
        const Value value = from_table(entry->value, node.ply);
        if (entry->depth >= depth && window.is_null() &&
            decides(entry->bound, value, window.alpha, window.beta)) {
            return value;
        }
        if (decides(entry->bound, value, estimate, estimate)) estimate = value;
    }

    // Step 5. Pruning of the whole node, where it is quiet and off the principal variation.
    if (!node.in_check && window.is_null()) {
        if (const auto value = reverse_futility(depth, window, estimate)) return *value;
        if (const auto value = null_move_cutoff(node, depth, window, estimate)) return *value;
    }

    // Step 6. The moves.
    return search_moves(node, depth, window, entry ? entry->move : Move());
}

std::optional<Value> DeepSearch::early_result(const Node& node, Window& window) {
    const Position& position = node.position;
    selective_depth_ = std::max(selective_depth_, node.ply);
    if (position.halfmove_clock() >= chess::kFiftyMoves ||
        repeats(keys_, game_length_, position.halfmove_clock())) {
        return task_.scale.draw(position.side_to_move());
    }
    if (const auto known =
            tablebase_value(task_.settings.tablebase, position, node.ply, task_.scale)) {
        ++tablebase_hits_;
        return known;
    }
    // Mate distance pruning: no line through this node is better than a shorter mate found before.
    window.alpha = std::max(window.alpha, mated_in(node.ply));
    window.beta = std::min(window.beta, mate_in(node.ply + 1));
    if (window.alpha >= window.beta) return window.alpha;
    if (node.ply >= kMaxPly) return node.latent;
    return std::nullopt;
}

Value DeepSearch::search_moves(const Node& node, int depth, Window window, Move table_move) {
    std::vector<Child>& children = frame(node.ply).children;
    const bool near_leaf = depth <= tuning_.lazy_depth && window.is_null() && !node.in_check;
    ChildStream stream({node.position, node.latent, table_move, near_leaf}, children, scorer_,
                       moves_, tuning_);
    Best best;
    Value alpha = window.alpha;
    int rank = 0;  // among the children that were searched
    for (std::size_t i = 0;; ++i) {
        // A side that is being mated must look at all its moves.
        const bool may_prune = best.value > -kDecidedBound;
        if (i == children.size()) {
            const auto bound = futile_rest(node, stream, depth, alpha);
            if (bound && may_prune) {
                best.value = std::max(best.value, *bound);
                break;
            }
            if (!stream.more()) break;
        }
        const Child child = children[i];
        if (may_prune && is_futile(node, child, rank, depth, alpha)) {
            best.value = std::max(best.value, child.value);
            continue;
        }
        const Value value = search_child(node, child, rank++, depth, {alpha, window.beta});
        if (ended()) return 0;
        if (value <= best.value) continue;
        best = {value, child.move};
        if (value <= alpha) continue;
        alpha = value;
        if (!window.is_null()) extend_line(node.ply, child.move);
        if (alpha >= window.beta) {
            update_history(node, depth, child.move, i);
            break;
        }
    }
    store(node, depth, best, window);
    return best.value;
}

Value DeepSearch::search_child(const Node& node, const Child& child, int rank, int depth,
                               Window window) {
    frame(node.ply + 1).line.clear();
    if (child.finished) return value_at(child, node.ply);
    const Position position = node.position.after(child.move);
    shared_.table.prefetch(key_of(position));
    keys_.push_back(position.key());
    const Node next{position, node.ply + 1, -child.value, child.check, true};
    Value value = 0;
    const Window null_window{window.alpha, window.alpha + 1};
    if (rank == 0) {
        value = -search(next, depth - 1, window.negated());
    } else {
        // A later child is first expected to fail low: with less depth, then with full depth,
        // and only a child that beats alpha twice gets the full window.
        const int less = reduction(node, child, rank, depth, window);
        value = -search(next, depth - 1 - less, null_window.negated());
        if (less > 0 && value > window.alpha) {
            value = -search(next, depth - 1, null_window.negated());
        }
        if (value > window.alpha && value < window.beta) {
            value = -search(next, depth - 1, window.negated());
        }
    }
    keys_.pop_back();
    return value;
}

void DeepSearch::update_history(const Node& node, int depth, Move refutation, std::size_t tried) {
    if (!tuning_.history || !is_quiet(node.position, refutation)) return;
    const int bonus = std::min(16 * depth * depth + 32 * depth, 1500);
    moves_.history.add(node.position, refutation, bonus);
    const std::vector<Child>& children = frame(node.ply).children;
    for (std::size_t i = 0; i < tried; ++i) {
        if (is_quiet(node.position, children[i].move)) {
            moves_.history.add(node.position, children[i].move, -bonus);
        }
    }
}

void DeepSearch::store(const Node& node, int depth, const Best& best, Window window) {
    // After an interrupt some children have no score, and the value would be wrong.
    if (scorer_.interrupted()) return;
    const Bound bound = best.value >= window.beta    ? Bound::Lower
                        : best.value <= window.alpha ? Bound::Upper
                                                     : Bound::Exact;
    const Move move = bound == Bound::Upper ? Move() : best.move;
    shared_.table.store(key_of(node.position),
                        {move, to_table(best.value, node.ply), node.latent, depth, bound});
}

}  // namespace solis::planner
