// Selection, expansion, backing up.
#include "solis/planner/puct/plan.h"

#include <algorithm>
#include <cmath>
#include <new>
#include <thread>

#include "solis/base/start_thread.h"
#include "solis/chess/rules.h"
#include "solis/planner/puct/prior.h"
#include "solis/planner/repetition.h"
#include "solis/planner/root.h"

namespace solis::planner {
namespace {

using chess::Color;
using chess::Move;
using chess::Position;

constexpr double kExploration = 0.6;

// The same mate seen from one ply earlier.
Value one_ply_on(Value decided) { return decided > 0 ? decided - 1 : decided + 1; }

}  // namespace

PuctPlan::PuctPlan(const Task& task, PuctTree& tree)
    : task_(task),
      nodes_(tree),
      most_nodes_(std::min<std::size_t>(task.settings.hash_megabytes * (1 << 20) / sizeof(PuctNode),
                                        UINT32_MAX)) {
    nodes_.restart();
    nodes_.push_back({});
}

bool PuctPlan::is_full(std::size_t more) const { return nodes_.size() + more > most_nodes_; }

bool PuctPlan::is_done() const {
    return task_.signals.stopped() || task_.limits.is_reached(scored_, embedded_);
}

bool PuctPlan::must_end() const {
    if (task_.must_end(scored_, embedded_)) return true;
    const PuctNode& root = nodes_[kRoot];
    if (root.decided != 0 && !task_.limits.infinite) return true;
    if (task_.limits.depth && depth() >= *task_.limits.depth) return true;
    return playouts_ > 256 && task_.time.is_enough(task_.signals, 0.9);
}

std::uint32_t PuctPlan::best_child(const PuctNode& node) const {
    const double explore = kExploration * std::sqrt(1.0 + node.visits);
    double best = -1e9;
    std::uint32_t chosen = node.first_child;
    for (std::uint32_t i = node.first_child; i < node.first_child + node.child_count; ++i) {
        const PuctNode& child = nodes_[i];
        // A child proven to lose is not visited again.
        if (child.decided < 0) continue;
        const double score = child.decided > 0
                                 ? 1e6 + child.decided
                                 : child.mean() + explore * child.prior / (1.0 + child.visits);
        if (score > best) {
            best = score;
            chosen = i;
        }
    }
    return chosen;
}

bool PuctPlan::select(Leaf& leaf) {
    std::uint32_t at = kRoot;
    leaf.path.assign(1, at);
    leaf.position = task_.root();
    leaf.keys.assign(task_.game.keys().begin(), task_.game.keys().end());
    while (nodes_[at].expanded && !nodes_[at].finished) {
        at = best_child(nodes_[at]);
        leaf.path.push_back(at);
        leaf.position = leaf.position.after(nodes_[at].move);
        leaf.keys.push_back(leaf.position.key());
        const bool drawn =
            leaf.position.halfmove_clock() >= chess::kFiftyMoves ||
            repeats(leaf.keys, task_.game.keys().size(), leaf.position.halfmove_clock());
        if (drawn || nodes_[at].decided != 0) break;
    }
    if (nodes_[at].busy) return false;
    // Virtual loss: visits that have no result yet keep other threads off this path.
    for (const std::uint32_t index : leaf.path) ++nodes_[index].visits;
    nodes_[at].busy = true;
    selective_depth_ = std::max(selective_depth_, static_cast<int>(leaf.path.size()) - 1);
    depth_sum_ += leaf.path.size() - 1;
    ++playouts_;
    return true;
}

std::optional<double> PuctPlan::known_value(const Leaf& leaf) {
    const PuctNode& node = nodes_[leaf.path.back()];
    if (leaf.path.size() == 1) return std::nullopt;
    const int clock = leaf.position.halfmove_clock();
    if (clock >= chess::kFiftyMoves || repeats(leaf.keys, task_.game.keys().size(), clock)) {
        return 0.5;
    }
    if (node.decided != 0) return node.decided > 0 ? 0.0 : 1.0;
    if (node.finished) return 1.0 - static_cast<double>(node.latent);
    if (const auto known =
            tablebase_value(task_.settings.tablebase, leaf.position, 0, task_.scale)) {
        ++tablebase_hits_;
        return task_.scale.win_probability(*known, leaf.position.side_to_move());
    }
    if (is_full(256)) return 1.0 - static_cast<double>(node.latent);
    return std::nullopt;
}

void PuctPlan::expand(std::uint32_t index, const std::vector<Child>& children, Color mover) {
    const auto first = static_cast<std::uint32_t>(nodes_.size());
    double sum = 0;
    const Value top = std::max_element(children.begin(), children.end(), [](auto& a, auto& b) {
                          return a.value < b.value;
                      })->value;
    for (const Child& child : children) {
        PuctNode node;
        node.move = child.move;
        node.finished = child.finished;
        node.latent_value = child.value;
        node.latent = static_cast<float>(task_.scale.win_probability(child.value, mover));
        if (is_mate(child.value)) node.decided = child.value;
        node.prior = static_cast<float>(prior_weight(child.value, top));
        sum += static_cast<double>(node.prior);
        nodes_.push_back(node);
    }
    for (std::uint32_t i = first; i < nodes_.size(); ++i) {
        nodes_[i].prior = static_cast<float>(static_cast<double>(nodes_[i].prior) / sum);
    }
    PuctNode& parent = nodes_[index];
    parent.first_child = first;
    parent.child_count = static_cast<std::uint16_t>(children.size());
    parent.expanded = true;
}

void PuctPlan::prove(PuctNode& node) {
    // `best` is for the side to move at the node, the values of the node for the other side.
    Value best = -kInfinite;
    bool all_known = true;
    for (std::uint32_t i = node.first_child; i < node.first_child + node.child_count; ++i) {
        const Value value = nodes_[i].decided;
        if (value == 0) {
            all_known = false;
        } else {
            best = std::max(best, value);
        }
    }
    const bool wins = best > 0;
    if (wins || (all_known && node.child_count > 0)) node.decided = one_ply_on(-best);
}

void PuctPlan::back_up(const Path& path, double for_mover) {
    double value = 1.0 - for_mover;  // for the side that moved into the leaf
    for (auto at = path.rbegin(); at != path.rend(); ++at) {
        PuctNode& node = nodes_[*at];
        node.points += value;
        value = 1.0 - value;
        if (node.expanded && node.decided == 0) prove(node);
    }
    nodes_[path.back()].busy = false;
}

void PuctPlan::work(bool first_thread) {
    ChildScorer scorer(task_.model, task_.scale);
    scorer.interrupt_when([this] { return task_.must_end(); });
    std::vector<Child> children;
    Leaf leaf{{}, task_.root(), {}};
    for (;;) {
        std::unique_lock lock(mutex_);
        // Every thread looks at the stop signal and at the limits of the work, because the first
        // one may be without a core.
        if (first_thread ? must_end() : is_done()) ended_ = true;
        if (ended_) return;
        if (!select(leaf)) {
            lock.unlock();
            std::this_thread::yield();
            continue;
        }
        if (const auto value = known_value(leaf)) {
            ++scored_;
            back_up(leaf.path, *value);
            continue;
        }
        lock.unlock();
        scorer.reset_counts();
        if (leaf.path.size() == 1) {
            scorer.score(leaf.position, task_.root_moves, children);
        } else {
            const chess::MoveList moves = chess::legal_moves(leaf.position);
            scorer.score(leaf.position, {moves.begin(), moves.end()}, children);
        }
        lock.lock();
        scored_ += scorer.scored();
        embedded_ += scorer.embedded();
        if (scorer.interrupted()) {
            for (const std::uint32_t index : leaf.path) --nodes_[index].visits;
            ended_ = true;
            return;
        }
        const Color mover = leaf.position.side_to_move();
        expand(leaf.path.back(), children, mover);
        const PuctNode& node = nodes_[leaf.path.back()];
        float best = 0;
        for (std::uint32_t i = node.first_child; i < node.first_child + node.child_count; ++i) {
            best = std::max(best, nodes_[i].latent);
        }
        back_up(leaf.path, static_cast<double>(best));
        if (first_thread && playouts_ >= next_report_) report();
    }
}

void PuctPlan::work_while_memory_lasts(bool first_thread) {
    try {
        work(first_thread);
    } catch (const std::bad_alloc&) {
        // The tree is whole: children belong to their parent only when all of them are there.
        const std::lock_guard lock(mutex_);
        ended_ = true;
    }
}

Plan PuctPlan::run() {
    std::vector<std::thread> helpers;
    {
        // The root is expanded whatever the limits are, so that there is a move to answer with.
        ChildScorer scorer(task_.model, task_.scale);
        scorer.interrupt_when([this] { return task_.must_end(); });
        std::vector<Child> children;
        scorer.score(task_.root(), task_.root_moves, children);
        scored_ += scorer.scored();
        embedded_ += scorer.embedded();
        expand(kRoot, children, task_.root().side_to_move());
        prove(nodes_[kRoot]);
    }
    for (int t = 1; t < task_.settings.threads; ++t) {
        if (!start_thread(helpers, [this] { work_while_memory_lasts(false); })) break;
    }
    work_while_memory_lasts(true);
    for (std::thread& helper : helpers) helper.join();
    report();
    Plan plan;
    plan.depth = depth();
    plan.effort = effort();
    for (const std::uint32_t child : ranked_children(nodes_[kRoot])) {
        const PuctNode& node = nodes_[child];
        const Color mover = task_.root().side_to_move();
        plan.root.push_back({node.move, node.latent_value, value_of(node, mover), node.visits,
                             static_cast<double>(node.prior)});
        if (plan.lines.size() < static_cast<std::size_t>(task_.settings.multipv)) {
            plan.lines.push_back(line_from(child));
        }
    }
    return plan;
}

}  // namespace solis::planner
