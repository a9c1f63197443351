// Keeps the sums of an NNUE net while positions change: only pieces that moved are added or
// removed.
#pragma once
#include <array>
#include <cstdint>
#include <vector>

#include "solis/chess/position.h"
#include "solis/data/inputs/nnue_features.h"
#include "solis/nn/nnue/net.h"

namespace solis::model {

// Both views of one position: 4 KB.
struct NnueState {
    // What `sums` were computed for, by colour and type.
    std::array<std::array<chess::Bitboard, 6>, 2> pieces;
    std::array<data::NnueView, 2> views;      // by colour
    std::array<nn::NnueAccumulator, 2> sums;  // by colour
};

// Not thread-safe: each thread has its own. The net must outlive it and have the number of inputs
// of HalfKAv2_hm.
class NnueFollower {
  public:
    explicit NnueFollower(const nn::NnueNet& net);

    // Sums of any position. They start from those of the last position with the same king's square,
    // so that a line of a game costs little more than `derive`.
    void refresh(const chess::Position& position, NnueState& to);
    // The same from a position that differs in few pieces; `from` and `to` are not the same object.
    void derive(const NnueState& from, const chess::Position& position, NnueState& to);

    // For the side to move of the position that `state` belongs to.
    [[nodiscard]] nn::NnueValue value(const NnueState& state,
                                      const chess::Position& position) const;

  private:
    // The last sums of one view.
    struct Remembered {
        std::array<std::array<chess::Bitboard, 6>, 2> pieces{};
        nn::NnueAccumulator sums;
    };

    void refresh_view(const chess::Position& position, chess::Color side, NnueState& to);

    const nn::NnueNet& net_;
    std::vector<Remembered> remembered_;  // [colour][bucket][files flipped]
};

// 100 centipawns are the advantage with which Stockfish 15.1 wins half of its games, 361 of its own
// units.
[[nodiscard]] inline int nnue_centipawns(int units) { return units * 100 / 361; }

}  // namespace solis::model
