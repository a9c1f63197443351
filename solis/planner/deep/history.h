// Search statistics of the deep plan: which quiet moves caused cutoffs, and what quiet moves did to
// the latent score.
#pragma once
#include <array>
#include <cstdint>
#include <cstdlib>

#include "solis/chess/position.h"
#include "solis/planner/value.h"

namespace solis::planner {

// The history heuristic: quiet moves that caused cutoffs elsewhere come earlier. It orders moves
// and never enters a value. Moves are told apart by piece and target square.
class MoveHistory {
  public:
    static constexpr int kMax = 8192;

    [[nodiscard]] int of(const chess::Position& position, chess::Move move) const {
        return table_[piece_index(position, move)][index(move.to())];
    }
    // Moves an entry towards +-kMax in steps that shrink as it comes nearer.
    void add(const chess::Position& position, chess::Move move, int bonus) {
        int& entry = table_[piece_index(position, move)][index(move.to())];
        entry += bonus - entry * std::abs(bonus) / kMax;
    }
    // Halves all entries before a new plan, so that what older plans learned counts less.
    void fade() {
        for (auto& row : table_) {
            for (int& entry : row) entry /= 2;
        }
    }

  private:
    static int piece_index(const chess::Position& position, chess::Move move) {
        return index(position.piece_on(move.from()));
    }

    std::array<std::array<int, 64>, 16> table_{};
};

// Move gains: by how much quiet moves of a kind have changed the latent score of the side that made
// them, as a running mean. They tell which children are worth embedding before any is embedded.
class MoveGains {
  public:
    // What can be said of a move without making it: the piece, its target square, and whether the
    // opponent attacks the squares it leaves and goes to.
    using Kind = std::uint16_t;
    [[nodiscard]] static Kind kind(const chess::Position& position, chess::Move move,
                                   chess::Bitboard attacked) {
        const auto piece = static_cast<unsigned>(index(position.piece_on(move.from())));
        const auto from = static_cast<unsigned>(index(move.from()));
        const auto to = static_cast<unsigned>(index(move.to()));
        const auto dangers =
            static_cast<unsigned>((attacked >> from & 1) * 2 + (attacked >> to & 1));
        return static_cast<Kind>((piece * 64 + to) * 4 + dangers);
    }

    [[nodiscard]] Value of(Kind kind) const { return sums_[kind] / kMemory; }
    void learn(Kind kind, Value gain) { sums_[kind] += gain - of(kind); }

  private:
    static constexpr int kMemory = 16;  // a new gain has the weight 1 / kMemory in the running mean

    std::array<int, 16 * 64 * 4> sums_{};
};

struct MoveMemory {
    MoveHistory history;
    MoveGains gains;
};

}  // namespace solis::planner
