// Search statistics of the deep plan: which quiet moves refuted, and how far latent scores were
// off.
#pragma once
#include <array>
#include <cstdint>
#include <cstdlib>

#include "solis/chess/position.h"
#include "solis/planner/value.h"

namespace solis::planner {

// Not evaluation: it forgets and only orders moves. Moves are told apart by piece and target.
class MoveHistory {
  public:
    static constexpr int kMax = 8192;

    [[nodiscard]] int of(const chess::Position& position, chess::Move move) const {
        return table_[piece_index(position, move)][index(move.to())];
    }
    // Moves towards +-kMax, less the nearer it already is.
    void add(const chess::Position& position, chess::Move move, int bonus) {
        int& entry = table_[piece_index(position, move)][index(move.to())];
        entry += bonus - entry * std::abs(bonus) / kMax;
    }
    // Old plans count half.
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

// What quiet moves have done to the latent score of the side that made them, on average and lately.
// Tells which children are worth embedding before any of them is.
class MoveGains {
  public:
    // What is known of a move without the position after it: the piece, its target, and whether the
    // other side attacks the squares it leaves and goes to.
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
    static constexpr int kMemory = 16;  // how many gains a mean is made of, older ones fading

    std::array<int, 16 * 64 * 4> sums_{};
};

struct MoveMemory {
    MoveHistory history;
    MoveGains gains;
};

}  // namespace solis::planner
