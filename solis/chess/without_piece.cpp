// Taking a piece off the board.
#include "solis/chess/without_piece.h"

namespace solis::chess {

std::optional<Position> without_piece(const Position& position, Square square) {
    Setup setup = position.setup();
    setup.board[index(square)] = Piece::None;
    setup.castling_rooks &= ~bit(square);
    setup.en_passant = Square::None;  // the pawn that made it may be the one removed
    const auto rest = Position::from(setup);
    if (!rest) return std::nullopt;
    return *rest;
}

}  // namespace solis::chess
