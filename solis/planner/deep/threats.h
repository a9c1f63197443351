// Which squares the opponent attacks.
#pragma once
#include "solis/chess/position.h"

namespace solis::planner {

// Squares that the opponent of the side to move attacks, by the rank of what attacks them.
struct Threats {
    chess::Bitboard by_pawn = 0;
    chess::Bitboard up_to_minor = 0;  // by pawns, knights or bishops
    chess::Bitboard up_to_rook = 0;
    chess::Bitboard all = 0;

    Threats() = default;  // none
    explicit Threats(const chess::Position& position) {
        using chess::PieceType;
        const chess::Color them = ~position.side_to_move();
        const chess::Bitboard occupied = position.pieces();
        const chess::Bitboard pawns = position.pieces(them, PieceType::Pawn);
        by_pawn = them == chess::Color::White ? chess::pawn_attacks<chess::Color::White>(pawns)
                                              : chess::pawn_attacks<chess::Color::Black>(pawns);
        const auto with = [&](chess::Bitboard attacked, PieceType type) {
            for (chess::Bitboard b = position.pieces(them, type); b != 0;) {
                attacked |= chess::piece_attacks(type, chess::pop_lowest(b), occupied);
            }
            return attacked;
        };
        up_to_minor = with(with(by_pawn, PieceType::Knight), PieceType::Bishop);
        up_to_rook = with(up_to_minor, PieceType::Rook);
        all = with(up_to_rook, PieceType::Queen) | chess::king_attacks(position.king(them));
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
