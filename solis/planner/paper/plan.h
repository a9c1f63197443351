// The paper's plan: the W best-scored children of each node, S plies, min-max.
#pragma once
#include <span>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "solis/planner/child_scorer.h"
#include "solis/planner/task.h"

namespace solis::planner {

// Alpha-beta gives the same move and value as plain min-max with fewer nodes.
enum class PaperSearch { Plain, AlphaBeta };

// The paper says nothing about draws by rule and about mates. Here a position that already occurred
// in the game is a draw, as are 100 plies without progress, and a shorter mate is better.
class PaperPlan {
  public:
    PaperPlan(const Task& task, PaperSearch search);

    [[nodiscard]] Plan run();

  private:
    struct Known {
        Value value;
        Bound bound;
        chess::Move move;
    };
    struct Window {
        Value alpha;
        Value beta;
    };

    // `id` is the node's number in the tree that the observer hears of.
    [[nodiscard]] Value best_of(const chess::Position& node, std::uint32_t id, int plies,
                                Window window, std::vector<chess::Move>& line);
    [[nodiscard]] Value visit(const chess::Position& parent, const Child& child, std::uint32_t id,
                              int plies, Window window, std::vector<chess::Move>& line);
    // Tells of the children of a node, `ply` plies from the root. Returns the id of the first; the
    // others follow.
    [[nodiscard]] std::uint32_t announce(std::uint32_t parent, int ply,
                                         std::span<const Child> children);
    void announce(const BeamValue& value) {
        if (tells_tree_) task_.observer.on_beam_value(value);
    }
    [[nodiscard]] std::vector<Child> top_children(const chess::Position& node,
                                                  std::span<const chess::Move> moves);
    // Draws by repetition and by the 50-move rule.
    [[nodiscard]] bool is_drawn(const chess::Position& position) const;
    [[nodiscard]] std::uint64_t table_key(const chess::Position& position, int plies) const;
    [[nodiscard]] Effort effort() const;

    const Task& task_;
    bool prunes_;
    int plies_;
    std::size_t width_;
    ChildScorer scorer_;
    std::unordered_set<std::uint64_t> played_;  // keys of the game so far, the root included
    std::unordered_map<std::uint64_t, Known> table_;
    std::uint64_t beam_nodes_ = 0;
    std::uint64_t tablebase_hits_ = 0;
    bool ended_ = false;
    bool tells_tree_;
    std::uint32_t next_id_ = 1;
};

}  // namespace solis::planner
