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

constexpr int kInternalReductionDepth = 4;

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
    const bool whole = frame(node.ply).excluded.is_none();  // no move is left out
    const std::optional<TableEntry> entry = shared_.table.find(key_of(node.position));
    Value estimate = node.latent;
    if (entry) {
        const Value value = from_table(entry->value, node.ply);
        if (whole && entry->depth >= depth && window.is_null() &&
            decides(entry->bound, value, window.alpha, window.beta)) {
            return value;
        }
        if (decides(entry->bound, value, estimate, estimate)) estimate = value;
    }
    Course course{depth, window, entry ? entry->move : Move(), 0, note_improving(node)};

    // Step 5. Pruning of the whole node, where it is quiet and off the principal variation.
    if (whole && !node.in_check && window.is_null()) {
        if (const auto value = reverse_futility(depth, window, estimate, course.improving)) {
            return *value;
        }
        if (const auto value = null_move_cutoff(node, depth, window, estimate)) return *value;
        if (ended()) return 0;
    }

    // Step 6. Internal iterative reduction: without a move of the table the order is worse, and a
    // shorter search finds one for the next time.
    if (tuning_.internal_reduction && depth >= kInternalReductionDepth && whole &&
        course.table_move.is_none() && (node.expect_cut || !window.is_null())) {
        --course.depth;
    }

    // Step 7. A table move without a rival is searched deeper.
    if (entry && whole) {
        if (const auto value = look_for_rival(node, course, *entry)) return *value;
        if (ended()) return 0;
    }

    // Step 8. The moves.
    return search_moves(node, course);
}

bool DeepSearch::note_improving(const Node& node) {
    frame(node.ply).latent = node.in_check ? kNoScore : node.latent;
    if (node.in_check) return false;
    for (const int before : {2, 4}) {
        if (node.ply < before) return true;
        const Value then = frame(node.ply - before).latent;
        if (then != kNoScore) return node.latent > then;
    }
    return true;
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

Value DeepSearch::search_moves(const Node& node, const Course& course) {
    Frame& here = frame(node.ply);
    std::vector<Child>& children = here.children;
    const Window window = course.window;
    const Move excluded = here.excluded;
    const bool lazy = course.depth <= tuning_.lazy_depth && window.is_null() && !node.in_check;
    ChildStream stream({node.position, node.latent, course.table_move, lazy, node.expect_cut,
                        moves_before(node.ply), here.killers},
                       children, scorer_, moves_, tuning_);
    Best best;
    Value alpha = window.alpha;
    int rank = 0;  // among the children that were searched
    for (std::size_t i = 0;; ++i) {
        // A side that is being mated must look at all its moves.
        const bool may_prune = best.value > -kDecidedBound;
        if (i == children.size()) {
            if (may_prune) skip_groups(node, course, stream, alpha, best);
            if (!stream.more()) break;
        }
        const Child child = children[i];
        if (child.move == excluded) continue;
        const Window now{alpha, window.beta};
        const bool from_table = child.move == course.table_move;
        const Step step{course.depth, now, rank, reduction_of(node, child, course, now, rank),
                        from_table ? course.table_extension : 0};
        if (may_prune && is_futile(node, child, step)) {
            best.value = std::max(best.value, child.value);
            continue;
        }
        ++rank;
        const Value value = search_child(node, child, step);
        if (ended()) return 0;
        if (value <= best.value) continue;
        best = {value, child.move};
        if (value <= alpha) continue;
        alpha = value;
        if (!window.is_null()) extend_line(node.ply, child.move);
        if (alpha >= window.beta) {
            update_history(node, course.depth, child.move, i);
            break;
        }
    }
    // Only an excluded move can leave nothing to search.
    if (!excluded.is_none()) return best.value;
    store(node, course.depth, best, window);
    return best.value;
}

Value DeepSearch::search_child(const Node& node, const Child& child, const Step& step) {
    frame(node.ply + 1).line.clear();
    if (child.finished) return value_at(child, node.ply);
    const Position position = node.position.after(child.move);
    shared_.table.prefetch(key_of(position));
    keys_.push_back(position.key());
    frame(node.ply).played = piece_to(node.position, child.move);
    const Window window = step.window;
    const Window null_window{window.alpha, window.alpha + 1};
    const int depth = step.depth - 1 + step.extension;
    const auto look = [&](int plies, Window seen, bool expect_cut) {
        const Node next{position, node.ply + 1, -child.value, child.check, true, expect_cut};
        return -search(next, plies, seen.negated());
    };
    Value value = 0;
    if (step.rank == 0) {
        value = look(depth, window, window.is_null() && !node.expect_cut);
    } else {
        // A later child is first expected to fail low: with less depth, then with full depth,
        // and only a child that beats alpha twice gets the full window.
        value = look(depth - step.less, null_window, true);
        if (step.less > 0 && value > window.alpha) {
            value = look(depth, null_window, !node.expect_cut);
        }
        if (value > window.alpha && value < window.beta) value = look(depth, window, false);
    }
    keys_.pop_back();
    return value;
}

void DeepSearch::update_history(const Node& node, int depth, Move refutation, std::size_t tried) {
    if (!tuning_.history) return;
    const int bonus = std::min(16 * depth * depth + 32 * depth, 1500);
    const MovesBefore before = moves_before(node.ply);
    const bool quiet = is_quiet(node.position, refutation);
    Frame& here = frame(node.ply);
    if (quiet) {
        add_quiet(moves_, before, node.position, refutation, bonus);
        if (here.killers[0] != refutation) here.killers = {refutation, here.killers[0]};
    } else {
        moves_.captures.add(node.position, refutation, bonus);
    }
    for (std::size_t i = 0; i < tried; ++i) {
        const Move move = here.children[i].move;
        if (!is_quiet(node.position, move)) {
            moves_.captures.add(node.position, move, -bonus);
        } else if (quiet) {
            add_quiet(moves_, before, node.position, move, -bonus);
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
