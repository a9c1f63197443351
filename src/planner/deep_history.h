// Search statistics of the deep plan: which quiet moves refuted, and how far latent scores were
// off.
#pragma once
#include <array>
#include <cstdint>
#include <cstdlib>
#include <vector>

#include "chess/position.h"
#include "planner/value.h"

namespace solis::planner {

// A piece and where it went: what moves are remembered by. 0 stands for no move.
using PieceMove = int;
[[nodiscard]] inline PieceMove piece_move(const chess::Position& before, chess::Move move) {
    return index(before.piece_on(move.from())) * 64 + index(move.to());
}
inline constexpr int kPieceMoves = 16 * 64;

// Not evaluation: it forgets and only orders moves.
class MoveHistory {
  public:
    static constexpr int kMax = 8192;

    MoveHistory() : answers_(std::size_t{kPieceMoves} * kPieceMoves) {}

    // How good a quiet move was elsewhere, and as an answer to `previous`. Within +-2 kMax.
    [[nodiscard]] int of(PieceMove move, PieceMove previous) const {
        return moves_[static_cast<std::size_t>(move)] + answers_[answer_index(move, previous)];
    }
    // Moves towards +-kMax, less the nearer it already is.
    void add(PieceMove move, PieceMove previous, int bonus) {
        approach(moves_[static_cast<std::size_t>(move)], bonus);
        if (previous != 0) approach(answers_[answer_index(move, previous)], bonus);
    }
    // Old plans count half. Answers are too many to touch, and age by being overwritten.
    void fade() {
        for (std::int16_t& entry : moves_) entry = static_cast<std::int16_t>(entry / 2);
    }

  private:
    static std::size_t answer_index(PieceMove move, PieceMove previous) {
        return static_cast<std::size_t>(previous) * kPieceMoves + static_cast<std::size_t>(move);
    }
    static void approach(std::int16_t& entry, int bonus) {
        entry = static_cast<std::int16_t>(entry + bonus - entry * std::abs(bonus) / kMax);
    }

    std::array<std::int16_t, kPieceMoves> moves_{};
    std::vector<std::int16_t> answers_;
};

}  // namespace solis::planner
