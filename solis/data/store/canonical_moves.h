// The order of legal moves that stored move numbers refer to. Part of the file format: it must
// never change, whatever order the move generator has.
#pragma once
#include <cstdint>
#include <optional>

#include "solis/chess/movegen.h"

namespace solis::data {

// Legal moves ordered by (from, to, promotion piece), squares seen from the side to move: the
// board is turned upside down for Black. Castling goes to the rook's square; knight, bishop, rook,
// queen is the order of promotions.
class CanonicalMoves {
  public:
    // The position must outlive this.
    explicit CanonicalMoves(const chess::Position& position)
        : position_(position), targets_(chess::legal_targets(position)) {}

    [[nodiscard]] std::size_t size() const;
    // The number of a move, none if it is not legal here.
    [[nodiscard]] std::optional<std::uint8_t> number_of(chess::Move move) const;
    // The move with this number; no move if there are not so many.
    [[nodiscard]] chess::Move at(std::size_t number) const;

  private:
    // Squares as the side to move sees them, and back.
    [[nodiscard]] chess::Bitboard turned(chess::Bitboard squares) const;
    [[nodiscard]] chess::Square turned(chess::Square square) const;
    // Moves per target from here.
    [[nodiscard]] std::size_t pieces_per_target(chess::Square from) const {
        return chess::contains(targets_.promoting, from) ? 4 : 1;
    }
    [[nodiscard]] chess::Bitboard targets_from(chess::Square from) const {
        return targets_.from[static_cast<std::size_t>(chess::index(from))];
    }
    [[nodiscard]] std::size_t count_from(chess::Square from) const {
        return static_cast<std::size_t>(chess::count(targets_from(from))) * pieces_per_target(from);
    }
    [[nodiscard]] chess::Move make_move(chess::Square from, chess::Square to,
                                        std::size_t piece) const;

    const chess::Position& position_;
    chess::MoveTargets targets_;
};

}  // namespace solis::data
