// The children of a node of the deep plan, in the order in which they are looked at.
#pragma once
#include <array>
#include <optional>
#include <vector>

#include "solis/planner/child_scorer.h"
#include "solis/planner/deep/history.h"
#include "solis/planner/deep/tuning.h"

namespace solis::planner {

[[nodiscard]] bool is_quiet(const chess::Position& position, chess::Move move);

// Most nodes end with their first good move, and embedding is what costs: so children come in
// groups, each embedded and ranked only when the ones before were not enough. First the table's
// move alone. Then, far from the leaves, all others, whose latent ranks decide how deep each is
// looked at; near the leaves captures and promotions, then quiet moves, those first that are
// expected to gain most, a few at a time.
class ChildStream {
  public:
    struct Parent {
        const chess::Position& position;
        Value latent;
        chess::Move table_move;  // may be none
        bool near_leaf;
    };

    // All must outlive it. `children` is emptied, then filled group by group.
    ChildStream(const Parent& parent, std::vector<Child>& children, ChildScorer& scorer,
                MoveMemory& memory, const DeepTuning& tuning);

    // Appends the next group, best first. False where none is left.
    bool more();
    // What the first of the quiet moves left is expected to gain, the others no more. None where
    // other moves come first, or all at once.
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
    std::size_t table_end_ = 0;    // behind the table's move
    std::size_t quiet_begin_ = 0;  // near a leaf: the first quiet move
    // Near a leaf: moves_ from quiet_begin_ on.
    std::array<Quiet, 256> quiet_;
    std::size_t quiet_count_ = 0;
};

}  // namespace solis::planner
