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
// other moves follow at once, because their latent ranks decide how deep each is searched. A lazy
// stream, near the leaves, goes on with the captures and promotions that lose no exchange, then
// quiet moves in the order of what gains and histories expect of them, a few at a time, then the
// other captures. (Other engines call this a staged move picker.)
class ChildStream {
  public:
    struct Parent {
        const chess::Position& position;
        Value latent;
        chess::Move table_move;  // may be none
        bool lazy;
        bool expect_cut = false;  // then groups are small: one of the first will do
        MovesBefore before{};
        std::array<chess::Move, 2> killers{};  // quiet moves that cut off siblings of the parent
    };

    // All arguments must outlive it. `children` is emptied, then filled group by group.
    ChildStream(const Parent& parent, std::vector<Child>& children, ChildScorer& scorer,
                MoveMemory& memory, const DeepTuning& tuning);

    // Appends the next group, best first. False where no group is left.
    bool more();
    // What the next group of a lazy stream consists of.
    [[nodiscard]] bool quiet_is_next() {
        order_moves();
        return parent_.lazy && next_ >= quiet_begin_ && next_ < quiet_end();
    }
    [[nodiscard]] bool losing_capture_is_next() {
        order_moves();
        return parent_.lazy && next_ >= quiet_end() && next_ < moves_.size();
    }
    // How much the next quiet move is expected to gain; those after it gain no more. None where the
    // next group does not consist of quiet moves.
    [[nodiscard]] std::optional<Value> expected_gain() {
        if (!quiet_is_next()) return std::nullopt;
        return quiet_[next_ - quiet_begin_].expected;
    }
    // Leaves out the quiet moves that have not come yet.
    void skip_quiet() {
        if (quiet_is_next()) next_ = quiet_end();
    }
    // Leaves out all moves that have not come yet.
    void skip_all() {
        order_moves();
        next_ = moves_.size();
    }

  private:
    struct Quiet {
        Value expected;
        Value history;  // its part of `expected`
        MoveGains::Kind kind;
        chess::Move move;
    };

    // Writes down all other moves once the table's move was not enough.
    void order_moves();
    void order_lazily(const chess::MoveList& all);
    void insert_quiet(const Quiet& quiet);
    void learn(std::size_t end, std::size_t first);
    void order_group(std::size_t first);
    // What histories add to the value by which a move is ordered.
    [[nodiscard]] int history_order(chess::Move move) const;
    [[nodiscard]] std::size_t group_end() const;
    [[nodiscard]] std::size_t quiet_end() const { return quiet_begin_ + quiet_count_; }

    Parent parent_;
    std::vector<Child>& children_;
    ChildScorer& scorer_;
    MoveMemory& memory_;
    const DeepTuning& tuning_;
    chess::MoveList moves_;
    std::size_t next_ = 0;
    bool ordered_ = false;         // order_moves() has run
    std::size_t table_end_ = 0;    // end of the first group, the table's move
    std::size_t quiet_begin_ = 0;  // of a lazy stream: the first quiet move
    // Of a lazy stream: the moves of moves_ from quiet_begin_ on, with their expected gains.
    std::array<Quiet, 256> quiet_;
    std::size_t quiet_count_ = 0;
};

}  // namespace solis::planner
