// The moves of a node of the deep plan, best first, no more of them ordered than are asked for.
#pragma once
#include <array>
#include <span>

#include "solis/planner/deep/history.h"
#include "solis/planner/deep/node_scorer.h"
#include "solis/planner/deep/tuning.h"

namespace solis::planner {

[[nodiscard]] inline bool is_quiet(const chess::Position& position, chess::Move move) {
    return !position.is_capture(move) && move.kind() != chess::MoveKind::Promotion;
}

// Stages: the move of the transposition table; captures and promotions that lose no exchange; quiet
// moves; the other captures. Quiet moves are ordered by what histories say of them and, far from
// the leaves, by the latent values of the children, which are embedded for it.
class MovePicker {
  public:
    struct Parent {
        const chess::Position& position;
        chess::Move table_move{};  // may be none
        MovesBefore before{};
        std::array<chess::Move, 2> killers{};  // quiet moves that cut off siblings of the parent
        bool in_check = false;
        bool ranked = false;         // order quiet moves by latent values, too
        bool captures_only = false;  // for quiescence; all evasions where in_check
    };
    struct Choice {
        chess::Move move;
        int order;  // by which it was chosen
        bool quiet;
        bool losing;  // a capture that loses an exchange
    };

    // All arguments must outlive it.
    MovePicker(const Parent& parent, const MoveMemory& memory, NodeScorer& scorer,
               const DeepTuning& tuning);

    // False where no move is left.
    bool next(Choice& choice);
    // Leaves out the quiet moves that have not come yet.
    void skip_quiet() { skips_quiet_ = true; }

  private:
    enum class Stage { Table, ListCaptures, Captures, ListQuiet, Quiet, Losing, End };
    struct Scored {
        chess::Move move;
        int order;
    };

    void list_captures();
    void list_quiet();
    void add_latent_order(std::size_t first);
    // Moves the best of the rest to the front of it.
    Scored& best_of(std::size_t first, std::size_t last);

    Parent parent_;
    const MoveMemory& memory_;
    NodeScorer& scorer_;
    const DeepTuning& tuning_;
    Stage stage_ = Stage::Table;
    bool skips_quiet_ = false;
    std::size_t next_ = 0;
    std::size_t losing_ = 0;  // moves_[0, losing_) are captures put off
    std::size_t end_ = 0;
    union {  // so that nothing is written before it is listed
        std::array<Scored, 256> moves_;
    };
};

}  // namespace solis::planner
