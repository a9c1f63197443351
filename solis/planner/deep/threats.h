// Which squares the opponent attacks.
#pragma once
#include "solis/chess/attacked_squares.h"

namespace solis::planner {

// Squares that the opponent of the side to move attacks, by the rank of what attacks them.
struct Threats {
    chess::Bitboard by_pawn = 0;
    chess::Bitboard up_to_minor = 0;  // by pawns, knights or bishops
    chess::Bitboard up_to_rook = 0;
    chess::Bitboard all = 0;

    Threats() = default;  // none
    explicit Threats(const chess::Position& position) {
        const chess::AttackedSquares by =
            chess::attacked_squares(position, ~position.side_to_move());
        by_pawn = by.pawn;
        up_to_minor = by_pawn | by.minor();
        up_to_rook = up_to_minor | by.rook;
        all = by.all();
    }

    // Squares where a piece is attacked by something of less rank.
    [[nodiscard]] chess::Bitboard to(chess::PieceType type) const {
        switch (type) {
            case chess::PieceType::Knight:
            case chess::PieceType::Bishop:
                return by_pawn;
            case chess::PieceType::Rook:
                return up_to_minor;
            case chess::PieceType::Queen:
                return up_to_rook;
            default:
                return 0;
        }
    }
};

}  // namespace solis::planner
