// The moves of a node of the deep plan, best first, no more of them ordered than are asked for.
#pragma once
#include <array>
#include <cstdint>

#include "solis/chess/movegen.h"
#include "solis/planner/deep/checks.h"
#include "solis/planner/deep/history.h"
#include "solis/planner/deep/threats.h"

namespace solis::planner {

[[nodiscard]] inline bool is_quiet(const chess::Position& position, chess::Move move) {
    return !position.is_capture(move) && move.kind() != chess::MoveKind::Promotion;
}

// Stages: the move of the transposition table; captures and promotions that lose no exchange; quiet
// moves, in the order of what histories say of them; the other captures.
class MovePicker {
  public:
    struct Parent {
        const chess::Position& position;
        const CheckSquares* checks = nullptr;  // of the position, where they are known already
        chess::Move table_move{};              // may be none
        MoveContext context{};
        Threats threats{};
        std::array<chess::Move, 2> killers{};  // quiet moves that cut off siblings of the parent
        bool in_check = false;
        bool captures_only = false;  // for quiescence; all evasions where in_check
    };
    struct Choice {
        chess::Move move;
        bool quiet;
        bool losing;  // a capture that loses an exchange
    };

    // All arguments must outlive it.
    MovePicker(const Parent& parent, const MoveMemory& memory);

    // False where no move is left.
    bool next(Choice& choice);
    // Leaves out the quiet moves that have not come yet.
    void skip_quiet() { skips_quiet_ = true; }

  private:
    enum class Stage { Table, ListCaptures, Captures, ListQuiet, Quiet, Losing, End };

    [[nodiscard]] bool wants_quiet() const {
        return !skips_quiet_ && (!parent_.captures_only || parent_.in_check);
    }
    void list_captures();
    void list_quiet();
    void add(chess::Move move, int order);
    // The best of the moves listed that have not come yet; false where there is none.
    bool take_best(Choice& choice);

    Parent parent_;
    const MoveMemory& memory_;
    Stage stage_ = Stage::Table;
    bool skips_quiet_ = false;
    std::size_t size_ = 0;         // moves of this stage
    std::size_t losing_size_ = 0;  // captures put off
    std::size_t next_losing_ = 0;
    // Order and place of each move in one number: finding the largest is all that takes time here,
    // and this way it takes a vector instruction for four moves. None of the arrays is written
    // before a move is listed.
    std::array<std::int32_t, 256> keys_;
    std::array<std::uint16_t, 256> moves_;  // Move::bits()
    std::array<std::uint16_t, 96> losing_;
};

}  // namespace solis::planner
