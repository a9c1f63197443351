// The children of a node of the deep plan, in the order in which they are searched.
#pragma once
#include <array>
#include <optional>
#include <vector>

#include "solis/planner/child_scorer.h"
#include "solis/planner/deep/history.h"
#include "solis/planner/deep/tuning.h"

namespace solis::planner {

[[nodiscard]] bool is_quiet(const chess::Position& position, chess::Move move);

// Most nodes end with a cutoff by one of their first moves, and embedding is what costs time. So
// children come in groups, and a group is embedded and ranked only if no child before it caused a
// cutoff. The first group is the move of the transposition table alone. Far from the leaves all
// other moves follow at once, because their latent ranks decide how deep each is searched. Near the
// leaves captures and promotions follow, then quiet moves in the order of their expected gain, a
// few at a time. (Other engines call this a staged move picker.)
class ChildStream {
  public:
    struct Parent {
        const chess::Position& position;
        Value latent;
        chess::Move table_move;  // may be none
        bool near_leaf;
    };

    // All arguments must outlive it. `children` is emptied, then filled group by group.
    ChildStream(const Parent& parent, std::vector<Child>& children, ChildScorer& scorer,
                MoveMemory& memory, const DeepTuning& tuning);

    // Appends the next group, best first. False where no group is left.
    bool more();
    // How much the next quiet move is expected to gain; those after it gain no more. None where the
    // next group does not consist of quiet moves only.
    [[nodiscard]] std::optional<Value> expected_gain() const {
        if (!parent_.near_leaf || next_ < quiet_begin_ || next_ == moves_.size()) {
            return std::nullopt;
        }
        return quiet_[next_ - quiet_begin_].expected;
    }

  private:
    struct Quiet {
        Value expected;
        MoveGains::Kind kind;
        chess::Move move;
    };

    void order_moves();
    void insert_quiet(const Quiet& quiet);
    void learn(std::size_t end, std::size_t first);
    void order_group(std::size_t first);
    [[nodiscard]] std::size_t group_end() const;

    Parent parent_;
    std::vector<Child>& children_;
    ChildScorer& scorer_;
    MoveMemory& memory_;
    const DeepTuning& tuning_;
    chess::MoveList moves_;
    std::size_t next_ = 0;
    std::size_t table_end_ = 0;    // end of the first group, the table's move
    std::size_t quiet_begin_ = 0;  // near a leaf: the first quiet move
    // Near a leaf: the moves of moves_ from quiet_begin_ on, with their expected gains.
    std::array<Quiet, 256> quiet_;
    std::size_t quiet_count_ = 0;
};

}  // namespace solis::planner
