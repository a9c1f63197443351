// Positions by chance.
#include "solis/chess/random_positions.h"

#include <set>

#include <gtest/gtest.h>

namespace solis::chess {
namespace {

TEST(RandomOpening, HasAsManyMovesAsAskedForAndIsNotOver) {
    Rng rng(Seed{3});
    for (const int plies : {0, 1, 8, 60}) {
        for (int i = 0; i < 50; ++i) {
            const Game game = random_opening(plies, rng);
            EXPECT_EQ(game.keys().size(), static_cast<std::size_t>(plies) + 1);
            EXPECT_FALSE(game.outcome(Claims::Counted));
        }
    }
}

TEST(RandomOpening, IsTheSameForTheSameSeedOnly) {
    Rng a(Seed{5}), b(Seed{5}), c(Seed{6});
    const Game first = random_opening(8, a);
    EXPECT_EQ(first.position().key(), random_opening(8, b).position().key());
    EXPECT_NE(first.position().key(), random_opening(8, c).position().key());
}

TEST(RandomWalk, PlaysLegalMovesAndBeginsAgainWhereAGameIsOver) {
    Rng rng(Seed{1});
    RandomWalk walk(rng);
    Position last = Position::start();
    int games = 0;
    for (int i = 0; i < 5000; ++i) {
        const Position position = walk.next();
        if (!outcome(last, Claims::Counted)) {
            bool follows = false;
            for (const Move move : legal_moves(last)) follows |= last.after(move) == position;
            EXPECT_TRUE(follows);
        } else {
            EXPECT_EQ(position, Position::start());
            ++games;
        }
        last = position;
    }
    EXPECT_GT(games, 3);
}

TEST(RandomWalk, GamesEndAfterSoManyPlies) {
    Rng rng(Seed{2});
    RandomWalk walk(rng, 10);
    for (int i = 1; i <= 110; ++i) {
        EXPECT_EQ(walk.next() == Position::start(), i % 11 == 0) << i;
    }
}

TEST(RandomPlacement, HoldsEveryPieceOnce) {
    Rng rng(Seed{4});
    std::set<std::size_t> squares_of_king;
    for (int i = 0; i < 200; ++i) {
        const chess::Setup setup = random_placement("QPPn", rng);
        std::multiset<Piece> found;
        for (std::size_t square = 0; square < 64; ++square) {
            const Piece piece = setup.board[square];
            if (piece == Piece::WhiteKing) squares_of_king.insert(square);
            if (piece != Piece::None) found.insert(piece);
        }
        EXPECT_EQ(found,
                  (std::multiset<Piece>{Piece::WhiteKing, Piece::BlackKing, Piece::WhiteQueen,
                                        Piece::WhitePawn, Piece::WhitePawn, Piece::BlackKnight}));
        EXPECT_EQ(setup.side_to_move, Color::White);
    }
    EXPECT_GT(squares_of_king.size(), 50u);
}

}  // namespace
}  // namespace solis::chess
