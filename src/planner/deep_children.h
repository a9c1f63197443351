// The children of a node of the deep plan, in the order in which they are looked at.
#pragma once
#include <vector>

#include "planner/child_scorer.h"
#include "planner/deep_history.h"
#include "planner/deep_tuning.h"

namespace solis::planner {

[[nodiscard]] bool is_quiet(const chess::Position& position, chess::Move move);

// Most nodes end with their first good move, and embedding is what costs: so children come in
// groups, each embedded and ranked only when the ones before were not enough. First the table's
// move alone. Then, far from the leaves, all others, whose latent ranks decide how deep each is
// looked at; near the leaves captures and promotions, then quiet moves by their history, a few at
// a time.
class ChildStream {
  public:
    // All must outlive it. `children` is emptied, then filled group by group.
    ChildStream(const chess::Position& position, chess::Move table_move, bool near_leaf,
                std::vector<Child>& children, ChildScorer& scorer, const MoveHistory& history,
                const DeepTuning& tuning);

    // Appends the next group, best first. False where none is left.
    bool more();
    // Only quiet moves are left, and none of them has been embedded.
    [[nodiscard]] bool only_quiet_left() const { return next_ == quiet_begin_; }

  private:
    void order_moves(chess::Move table_move);
    void order_group(std::size_t first);
    [[nodiscard]] std::size_t group_end() const;

    const chess::Position& position_;
    std::vector<Child>& children_;
    ChildScorer& scorer_;
    const MoveHistory& history_;
    const DeepTuning& tuning_;
    bool near_leaf_;
    chess::MoveList moves_;
    std::size_t next_ = 0;
    std::size_t table_end_ = 0;    // behind the table's move
    std::size_t quiet_begin_ = 0;  // near a leaf: the first quiet move
};

}  // namespace solis::planner
