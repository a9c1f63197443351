// What the tree of the puct plan says: moves in order, lines, effort.
#include <algorithm>

#include "solis/planner/puct/plan.h"

namespace solis::planner {

std::vector<std::uint32_t> PuctPlan::ranked_children(const PuctNode& node) const {
    std::vector<std::uint32_t> order;
    for (std::uint32_t i = 0; i < node.child_count; ++i) order.push_back(node.first_child + i);
    std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
        const PuctNode &x = nodes_[a], &y = nodes_[b];
        if (x.decided != y.decided) return x.decided > y.decided;
        if (x.visits != y.visits) return x.visits > y.visits;
        return x.latent_value > y.latent_value;
    });
    return order;
}

Value PuctPlan::value_of(const PuctNode& node, chess::Color mover) const {
    if (node.decided != 0) return node.decided;
    return task_.scale.at_probability(node.mean(), mover);
}

Line PuctPlan::line_from(std::uint32_t child) const {
    Line line;
    line.value = value_of(nodes_[child], task_.root().side_to_move());
    if (task_.tablebase_value && !is_mate(line.value)) line.value = *task_.tablebase_value;
    line.moves.push_back(nodes_[child].move);
    line.depth = std::max(depth(), 1);
    line.selective_depth = std::max(selective_depth_, line.depth);
    std::uint32_t at = child;
    while (nodes_[at].expanded && nodes_[at].child_count > 0) {
        at = ranked_children(nodes_[at]).front();
        if (nodes_[at].visits == 0 && nodes_[at].decided == 0) break;
        line.moves.push_back(nodes_[at].move);
    }
    return line;
}

int PuctPlan::depth() const {
    return playouts_ == 0 ? 0 : static_cast<int>(depth_sum_ / playouts_);
}

Effort PuctPlan::effort() const {
    Effort effort;
    effort.nodes = scored_;
    effort.embedded = embedded_;
    effort.beam_nodes = playouts_;
    effort.tablebase_hits = tablebase_hits_;
    effort.time = task_.time.elapsed();
    effort.hash_permille = static_cast<int>(nodes_.size() * 1000 / most_nodes_);
    return effort;
}

void PuctPlan::report() {
    next_report_ = 2 * playouts_;
    const std::vector<std::uint32_t> order = ranked_children(nodes_[kRoot]);
    const auto wanted = static_cast<std::size_t>(task_.settings.multipv);
    for (std::size_t i = 0; i < std::min(order.size(), wanted); ++i) {
        task_.observer.on_info({static_cast<int>(i) + 1, line_from(order[i]), effort()});
    }
}

}  // namespace solis::planner
