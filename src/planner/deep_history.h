// Search statistics of the deep plan: which quiet moves refuted, and how far latent scores were
// off.
#pragma once
#include <array>
#include <cstdlib>

#include "chess/position.h"
#include "planner/value.h"

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

}  // namespace solis::planner
