// Search statistics of the deep plan: which moves caused cutoffs, after which other moves, and what
// moves did to the latent score. They order moves and decide what is worth embedding; none of them
// enters a value.
#pragma once
#include <array>
#include <cstdint>
#include <cstdlib>
#include <vector>

#include "solis/base/aligned.h"
#include "solis/chess/position.h"
#include "solis/planner/deep/corrections.h"
#include "solis/planner/value.h"

namespace solis::planner {

// A piece and the square it went to, as one number.
using PieceTo = std::uint16_t;
inline constexpr PieceTo kPieceTos = 12 * 64;
inline constexpr PieceTo kNoPieceTo = kPieceTos;  // before the first move, and after a pass

[[nodiscard]] inline PieceTo piece_to(const chess::Position& position, chess::Move move) {
    const chess::Piece piece = position.piece_on(move.from());
    const int row = index(color_of(piece)) * 6 + index(type_of(piece));
    return static_cast<PieceTo>(row * 64 + index(move.to()));
}

// One number of a history. It moves towards +-kMax in steps that shrink as it comes nearer.
class Tendency {
  public:
    static constexpr int kMax = 8192;

    [[nodiscard]] int value() const { return value_; }
    void add(int bonus) {
        value_ = static_cast<std::int16_t>(value_ + bonus - value_ * std::abs(bonus) / kMax);
    }
    void halve() { value_ /= 2; }

  private:
    std::int16_t value_ = 0;
};

// The history heuristic: quiet moves that caused cutoffs elsewhere come earlier. Moves are told
// apart by side, origin and target, and by whether the opponent attacks these: to leave an attacked
// square is another move than to leave a safe one.
class MoveHistory {
  public:
    static constexpr int kMax = Tendency::kMax;

    // `attacked`: by the opponent.
    [[nodiscard]] int of(const chess::Position& position, chess::Bitboard attacked,
                         chess::Move move) const {
        return table_[place(position, attacked, move)].value();
    }
    void add(const chess::Position& position, chess::Bitboard attacked, chess::Move move,
             int bonus) {
        table_[place(position, attacked, move)].add(bonus);
    }
    // Halves all entries before a new plan, so that what older plans learned counts less.
    void fade() {
        for (Tendency& entry : table_) entry.halve();
    }

  private:
    static std::size_t place(const chess::Position& position, chess::Bitboard attacked,
                             chess::Move move) {
        const int side = index(position.side_to_move());
        const int leaves = static_cast<int>(attacked >> index(move.from()) & 1);
        const int enters = static_cast<int>(attacked >> index(move.to()) & 1);
        return static_cast<std::size_t>((side * 4 + leaves * 2 + enters) * 4096 +
                                        index(move.from()) * 64 + index(move.to()));
    }

    std::array<Tendency, 2 * 4 * 4096> table_{};
};

// The same told apart by what was played one or two plies before: answers and continuations.
class ContinuationHistory {
  public:
    using Row = std::array<Tendency, kPieceTos>;

    ContinuationHistory() : rows_(kPieceTos + 1) {}

    // What followed `before`. The row of kNoPieceTo stays empty.
    [[nodiscard]] const Row& after(PieceTo before) const { return rows_[before]; }
    void add(PieceTo before, PieceTo move, int bonus) {
        if (before != kNoPieceTo) rows_[before][move].add(bonus);
    }

  private:
    AlignedVector<Row> rows_;
};

// The same for captures, told apart by mover, target and victim.
class CaptureHistory {
  public:
    [[nodiscard]] int of(const chess::Position& position, chess::Move move) const {
        return table_[place(position, move)].value();
    }
    void add(const chess::Position& position, chess::Move move, int bonus) {
        table_[place(position, move)].add(bonus);
    }

  private:
    static std::size_t place(const chess::Position& position, chess::Move move) {
        const int victim = index(type_of(position.piece_on(move.to())));
        return static_cast<std::size_t>(piece_to(position, move) * 8 + victim);
    }

    std::array<Tendency, static_cast<std::size_t>(kPieceTos) * 8> table_{};
};

// By how much captures and promotions of a kind have changed the latent value of the side that made
// them, as a running mean. They tell which captures are worth searching before any is embedded.
class CaptureGains {
  public:
    // What can be said of a capture without making it: the piece, its victim, what a pawn becomes,
    // and whether it loses an exchange.
    using Kind = std::uint16_t;
    [[nodiscard]] static Kind kind(const chess::Position& position, chess::Move move, bool losing) {
        const auto mover = static_cast<unsigned>(index(type_of(position.piece_on(move.from()))));
        const auto victim = static_cast<unsigned>(index(type_of(position.piece_on(move.to()))));
        const auto promotion = static_cast<unsigned>(index(move.promotion_piece()));
        return static_cast<Kind>(((mover * 8 + victim) * 8 + promotion) * 2 + (losing ? 1 : 0));
    }

    [[nodiscard]] Value of(Kind kind) const { return sums_[kind] / kMemory; }
    void learn(Kind kind, Value gain) { sums_[kind] += gain - of(kind); }

  private:
    static constexpr int kMemory = 16;  // a new gain has the weight 1 / kMemory in the running mean

    std::array<int, 8 * 8 * 8 * 2> sums_{};
};

// What one thread has learned about moves.
struct MoveMemory {
    MoveHistory history;
    ContinuationHistory continuations;
    CaptureHistory captures;
    CaptureGains gains;
    Corrections corrections;
};

// What histories tell the quiet moves of a node apart by: the moves one, two and four plies before,
// and the squares that the opponent attacks.
struct MoveContext {
    PieceTo last = kNoPieceTo;         // the opponent's
    PieceTo second_last = kNoPieceTo;  // the mover's own
    PieceTo fourth_last = kNoPieceTo;  // the mover's own before that
    chess::Bitboard attacked = 0;
};

// What the histories together say about a quiet move: up to four times Tendency::kMax either way.
[[nodiscard]] inline int quiet_tendency(const MoveMemory& memory, const MoveContext& context,
                                        const chess::Position& position, chess::Move move) {
    const PieceTo to = piece_to(position, move);
    return memory.history.of(position, context.attacked, move) +
           memory.continuations.after(context.last)[to].value() +
           memory.continuations.after(context.second_last)[to].value() +
           memory.continuations.after(context.fourth_last)[to].value();
}
inline void add_quiet(MoveMemory& memory, const MoveContext& context,
                      const chess::Position& position, chess::Move move, int bonus) {
    const PieceTo to = piece_to(position, move);
    memory.history.add(position, context.attacked, move, bonus);
    memory.continuations.add(context.last, to, bonus);
    memory.continuations.add(context.second_last, to, bonus);
    memory.continuations.add(context.fourth_last, to, bonus / 2);
}

}  // namespace solis::planner
