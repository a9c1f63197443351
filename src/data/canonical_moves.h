// The order of legal moves that stored move numbers refer to. Part of the file format: it must
// never change, whatever order the move generator has.
#pragma once
#include <array>
#include <cstdint>
#include <optional>

#include "chess/movegen.h"

namespace solis::data {

// Legal moves ordered by (from, to, promotion piece), squares seen from the side to move: the
// board is turned upside down for Black. Castling goes to the rook's square; knight, bishop, rook,
// queen is the order of promotions.
class CanonicalMoves {
  public:
    explicit CanonicalMoves(const chess::Position& position);

    [[nodiscard]] std::size_t size() const { return moves_.size(); }
    // The number of a move, none if it is not legal here.
    [[nodiscard]] std::optional<std::uint8_t> number_of(chess::Move move) const;
    // The move with this number, which must be below size().
    [[nodiscard]] chess::Move at(std::size_t number) const;

  private:
    [[nodiscard]] unsigned key(chess::Move move) const;

    chess::MoveList moves_;
    unsigned flip_;                        // turns a square for the side to move
    chess::Bitboard origins_ = 0;          // turned squares that moves start from
    std::array<std::uint8_t, 64> counts_;  // how many start there; set where origins_ is
};

}  // namespace solis::data
