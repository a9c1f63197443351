// Min-max over the W best-scored children of each node.
#include "solis/planner/paper/plan.h"

#include <algorithm>

#include "solis/chess/rules.h"
#include "solis/planner/root.h"
#include "solis/planner/transposition_table.h"

namespace solis::planner {
namespace {

using chess::Move;
using chess::Position;

// Spreads small numbers over a key; odd, so that no two of them collide.
constexpr std::uint64_t kSpread = 0x9e3779b97f4a7c15;
// The table holds no more positions than this, far more than W = 8 and S = 5 need. A larger one
// would delay the answer to `stop` by milliseconds, for rehashing it and giving its memory back.
constexpr std::size_t kMostKnown = 100'000;

// The same bound as the other side sees it.
Bound opposite(Bound bound) {
    if (bound == Bound::Exact) return bound;
    return bound == Bound::Lower ? Bound::Upper : Bound::Lower;
}

}  // namespace

PaperPlan::PaperPlan(const Task& task, PaperSearch search)
    : task_(task),
      prunes_(search == PaperSearch::AlphaBeta),
      plies_(std::clamp(task.limits.depth.value_or(task.settings.plies), 1, Settings::kMaxPlies)),
      width_(static_cast<std::size_t>(task.settings.width)),
      scorer_(task.model, task.scale),
      played_(task.game.keys().begin(), task.game.keys().end()),
      tells_tree_(task.observer.wants_tree()) {
    scorer_.use_threads(static_cast<std::size_t>(task.settings.threads));
    scorer_.interrupt_when([&task] { return task.must_end(); });
}

bool PaperPlan::is_drawn(const Position& position) const {
    return position.halfmove_clock() >= chess::kFiftyMoves || played_.contains(position.key());
}

std::uint64_t PaperPlan::table_key(const Position& position, int plies) const {
    // The 50-move counter changes the value of a node only where it can run out within the plan.
    const bool clock_counts = task_.root().halfmove_clock() + plies_ >= chess::kFiftyMoves;
    const int clock = clock_counts ? position.halfmove_clock() : 0;
    return planner::table_key(position, task_.model.traits().reads_counters) ^
           (static_cast<std::uint64_t>(1000 * plies + clock + 1) * kSpread);
}

std::vector<Child> PaperPlan::top_children(const Position& node, std::span<const Move> moves) {
    std::vector<Child> children;
    scorer_.score(node, moves, children);
    for (Child& child : children) {
        if (child.finished) continue;
        const Position position = node.after(child.move);
        if (is_drawn(position)) {
            child.finished = true;
            child.value = task_.scale.draw(node.side_to_move());
        } else if (const auto known =
                       tablebase_value(task_.settings.tablebase, position, 1, task_.scale)) {
            child.finished = true;
            child.value = -*known;
            ++tablebase_hits_;
        }
    }
    rank(children);
    if (children.size() > width_) children.resize(width_);
    return children;
}

std::uint32_t PaperPlan::announce(std::uint32_t parent, int ply, std::span<const Child> children) {
    const std::uint32_t first = next_id_;
    if (!tells_tree_) return first;
    int rank = 0;
    for (const Child& child : children) {
        task_.observer.on_beam_node(
            {next_id_++, parent, ply, ++rank, child.move, child.value, child.finished});
    }
    return first;
}

Value PaperPlan::visit(const Position& parent, const Child& child, std::uint32_t id, int plies,
                       Window window, std::vector<Move>& line) {
    ++beam_nodes_;
    line.clear();
    const int ply = plies_ - plies;  // of the child
    if (!child.finished && plies > 0) {
        return -best_of(parent.after(child.move), id, plies, {-window.beta, -window.alpha}, line);
    }
    Value value = child.value;
    // The value counts the plies to mate from the child's parent; from the root there are more.
    if (child.finished && is_decided(value)) value += value > 0 ? 1 - ply : ply - 1;
    announce({id, value, Bound::Exact, 0});
    return value;
}

Value PaperPlan::best_of(const Position& node, std::uint32_t id, int plies, Window window,
                         std::vector<Move>& line) {
    if (ended_ || task_.must_end(scorer_.scored(), scorer_.embedded())) {
        ended_ = true;
        return 0;
    }
    const std::uint64_t key = table_key(node, plies);
    if (const auto known = table_.find(key); known != table_.end()) {
        const auto& [value, bound, move] = known->second;
        if (decides(bound, value, window.alpha, window.beta)) {
            line.assign(1, move);
            announce({id, -value, opposite(bound), 0});
            return value;
        }
    }
    const chess::MoveList moves = chess::legal_moves(node);
    Known best{-kInfinite, Bound::Exact, Move()};
    Value alpha = window.alpha;
    std::vector<Move> below;
    const std::vector<Child> children = top_children(node, {moves.begin(), moves.end()});
    std::uint32_t child_id = announce(id, plies_ - plies + 1, children);
    std::uint32_t best_id = 0;
    for (const Child& child : children) {
        ended_ = ended_ || scorer_.interrupted();
        if (ended_) return 0;
        const std::uint32_t visited = child_id++;
        const Value value = visit(node, child, visited, plies - 1, {alpha, window.beta}, below);
        if (ended_) return 0;
        if (value <= best.value) continue;
        best.value = value;
        best_id = visited;
        best.move = child.move;
        line.assign(1, child.move);
        line.insert(line.end(), below.begin(), below.end());
        if (!prunes_) continue;
        alpha = std::max(alpha, value);
        if (alpha >= window.beta) break;
    }
    if (prunes_) {
        best.bound = best.value >= window.beta    ? Bound::Lower
                     : best.value <= window.alpha ? Bound::Upper
                                                  : Bound::Exact;
    }
    if (table_.size() < kMostKnown || table_.contains(key)) table_.insert_or_assign(key, best);
    announce({id, -best.value, opposite(best.bound), best_id});
    return best.value;
}

Effort PaperPlan::effort() const {
    Effort effort;
    effort.nodes = scorer_.scored();
    effort.embedded = scorer_.embedded();
    effort.beam_nodes = beam_nodes_;
    effort.tablebase_hits = tablebase_hits_;
    effort.time = task_.time.elapsed();
    return effort;
}

Plan PaperPlan::run() {
    Plan plan;
    ++beam_nodes_;
    const std::vector<Child> beam = top_children(task_.root(), task_.root_moves);
    // Each line asked for needs an exact value, so the bound is the worst line still kept.
    const auto kept = static_cast<std::size_t>(task_.settings.multipv);
    std::uint32_t child_id = announce(0, 1, beam);
    std::uint32_t best_id = 0;
    for (const Child& child : beam) {
        const Value alpha =
            !prunes_ || plan.lines.size() < kept ? -kInfinite : plan.lines.back().value;
        const std::uint64_t nodes_before = beam_nodes_;
        Line line;
        std::vector<Move> below;
        const std::uint32_t visited = child_id++;
        line.value = visit(task_.root(), child, visited, plies_ - 1, {alpha, kInfinite}, below);
        if (ended_) break;
        plan.root.push_back({child.move, child.value, line.value, beam_nodes_ - nodes_before, 0});
        if (plan.lines.size() >= kept && line.value <= alpha) continue;
        line.moves.assign(1, child.move);
        line.moves.insert(line.moves.end(), below.begin(), below.end());
        line.depth = line.selective_depth = plies_;
        const auto place = std::find_if(plan.lines.begin(), plan.lines.end(),
                                        [&](const Line& l) { return line.value > l.value; });
        if (place == plan.lines.begin()) best_id = visited;
        plan.lines.insert(place, std::move(line));
        if (plan.lines.size() > kept) plan.lines.pop_back();
    }
    if (plan.lines.empty())
        plan.lines.push_back({beam.front().value, Bound::Exact, {beam.front().move}});
    announce({0, plan.lines.front().value, Bound::Exact, best_id});
    plan.depth = ended_ ? 0 : plies_;
    plan.effort = effort();
    for (std::size_t i = 0; i < plan.lines.size(); ++i) {
        task_.observer.on_info({static_cast<int>(i) + 1, plan.lines[i], plan.effort});
    }
    return plan;
}

}  // namespace solis::planner
