// Legal moves of a position.
#pragma once
#include <array>
#include <cstddef>

#include "solis/chess/legality.h"
#include "solis/chess/position.h"

namespace solis::chess {

// No legal position has more than 218 moves.
class MoveList {
  public:
    MoveList() {}

    void add(Move move) { moves_[size_++] = move; }
    void clear() { size_ = 0; }

    [[nodiscard]] std::size_t size() const { return size_; }
    [[nodiscard]] bool empty() const { return size_ == 0; }
    [[nodiscard]] Move operator[](std::size_t i) const { return moves_[i]; }
    [[nodiscard]] const Move* begin() const { return moves_.data(); }
    [[nodiscard]] const Move* end() const { return moves_.data() + size_; }
    [[nodiscard]] bool contains(Move move) const;

  private:
    // In a union so that no move is written before it is found.
    union {
        std::array<Move, 256> moves_;
    };
    std::size_t size_ = 0;
};

// All legal moves and nothing else, in an unspecified but fixed order.
[[nodiscard]] MoveList legal_moves(const Position& position);
// Captures and promotions to any piece, for settling a position.
[[nodiscard]] MoveList legal_captures(const Position& position);
// The legal moves as sets of squares: a move can be counted off without writing all of them down.
struct MoveTargets {
    Bitboard origins = 0;
    Bitboard promoting = 0;         // origins all of whose moves promote, to four pieces each
    std::array<Bitboard, 64> from;  // targets by origin, set only there; castling goes to the rook
};
[[nodiscard]] MoveTargets legal_targets(const Position& position);
// legal_moves(position).size(), without writing the moves down.
[[nodiscard]] std::size_t count_legal_moves(const Position& position);
[[nodiscard]] bool has_legal_move(const Position& position);

}  // namespace solis::chess
