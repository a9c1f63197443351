// Attacks worked out square by square from a bare board, sharing no table with the code under test.
#pragma once
#include <array>
#include <utility>
#include <vector>

#include "solis/chess/bitboard.h"
#include "solis/chess/types.h"

namespace solis::chess {

using Board = std::array<Piece, 64>;
using Steps = std::vector<std::pair<int, int>>;  // file, rank

inline const Steps kStraightSteps{{1, 0}, {-1, 0}, {0, 1}, {0, -1}};
inline const Steps kDiagonalSteps{{1, 1}, {1, -1}, {-1, 1}, {-1, -1}};
inline const Steps kKnightSteps{{1, 2},  {2, 1},  {-1, 2},  {-2, 1},
                                {1, -2}, {2, -1}, {-1, -2}, {-2, -1}};
inline const Steps kRoyalSteps{{1, 0}, {-1, 0}, {0, 1},  {0, -1},
                               {1, 1}, {1, -1}, {-1, 1}, {-1, -1}};
inline const Steps kWhitePawnSteps{{1, 1}, {-1, 1}};
inline const Steps kBlackPawnSteps{{1, -1}, {-1, -1}};

// Squares reached from `from` in at most `longest` steps, up to and including the first occupied.
inline Bitboard slow_rays(Square from, const Steps& steps, int longest, Bitboard occupied) {
    Bitboard reached = 0;
    for (const auto& [file_step, rank_step] : steps) {
        int file = file_of(from), rank = rank_of(from);
        for (int i = 0; i < longest; ++i) {
            file += file_step;
            rank += rank_step;
            if (file < 0 || file > 7 || rank < 0 || rank > 7) break;
            const Square s = make_square(file, rank);
            reached |= bit(s);
            if (contains(occupied, s)) break;
        }
    }
    return reached;
}

// What `piece` on `from` attacks.
inline Bitboard slow_attacks(Piece piece, Square from, Bitboard occupied) {
    const bool white = color_of(piece) == Color::White;
    switch (type_of(piece)) {
        case PieceType::Pawn:
            return slow_rays(from, white ? kWhitePawnSteps : kBlackPawnSteps, 1, occupied);
        case PieceType::Knight:
            return slow_rays(from, kKnightSteps, 1, occupied);
        case PieceType::Bishop:
            return slow_rays(from, kDiagonalSteps, 7, occupied);
        case PieceType::Rook:
            return slow_rays(from, kStraightSteps, 7, occupied);
        case PieceType::Queen:
            return slow_rays(from, kRoyalSteps, 7, occupied);
        case PieceType::King:
            return slow_rays(from, kRoyalSteps, 1, occupied);
        case PieceType::None:
            break;
    }
    return 0;
}

inline bool slow_is_attacked(const Board& board, Square target, Color by) {
    Bitboard occupied = 0;
    for (int i = 0; i < 64; ++i) {
        if (board[i] != Piece::None) occupied |= bit(square_at(i));
    }
    for (int i = 0; i < 64; ++i) {
        if (board[i] == Piece::None || color_of(board[i]) != by) continue;
        if (contains(slow_attacks(board[i], square_at(i), occupied), target)) return true;
    }
    return false;
}

}  // namespace solis::chess
