// Attacked squares against the attackers of each square.
#include "solis/chess/attacked_squares.h"

#include <gtest/gtest.h>

#include "tests/chess/random_walks.h"

namespace solis::chess {
namespace {

Bitboard slowly_attacked(const Position& position, Color side, Bitboard by) {
    Bitboard attacked = 0;
    for (int i = 0; i < 64; ++i) {
        const Bitboard attackers = position.attackers_to(square_at(i), position.pieces());
        if ((attackers & by & position.pieces(side)) != 0) attacked |= bit(square_at(i));
    }
    return attacked;
}

TEST(AttackedSquares, AreThoseWithAnAttackerOfTheKind) {
    for_each_random_move(Seed{5}, 20, [](const Position& position, const MoveList&, Move) {
        for (const Color side : {Color::White, Color::Black}) {
            const auto by = [&](PieceType type) {
                return slowly_attacked(position, side, position.pieces(type));
            };
            const AttackedSquares attacked = attacked_squares(position, side);
            ASSERT_EQ(attacked.pawn, by(PieceType::Pawn));
            ASSERT_EQ(attacked.knight, by(PieceType::Knight));
            ASSERT_EQ(attacked.bishop, by(PieceType::Bishop));
            ASSERT_EQ(attacked.minor(), attacked.knight | attacked.bishop);
            ASSERT_EQ(attacked.rook, by(PieceType::Rook));
            ASSERT_EQ(attacked.queen, by(PieceType::Queen));
            ASSERT_EQ(attacked.king, by(PieceType::King));
            ASSERT_EQ(attacked.all(), slowly_attacked(position, side, position.pieces()));
        }
    });
}

}  // namespace
}  // namespace solis::chess
