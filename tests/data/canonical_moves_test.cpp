// The stored numbers of moves: fixed by the format, not by the move generator.
#include "solis/data/store/canonical_moves.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "solis/chess/fen.h"
#include "solis/chess/movegen.h"
#include "solis/chess/uci_move.h"
#include "tests/data/random_games.h"

namespace solis::data {
namespace {

TEST(CanonicalMoves, NumbersAreThoseOfTheFormat) {
    const auto start = chess::Position::start();
    const CanonicalMoves moves(start);
    ASSERT_EQ(moves.size(), 20U);
    // b1: a3 c3, g1: f3 h3, then pawns a3 a4 b3 b4 ...
    EXPECT_EQ(chess::to_uci(start, moves.at(0)), "b1a3");
    EXPECT_EQ(chess::to_uci(start, moves.at(3)), "g1h3");
    EXPECT_EQ(chess::to_uci(start, moves.at(4)), "a2a3");
    EXPECT_EQ(chess::to_uci(start, moves.at(5)), "a2a4");
    EXPECT_EQ(chess::to_uci(start, moves.at(19)), "h2h4");
    const auto promotes = *chess::parse_fen("3r3k/2P5/8/8/8/8/8/4K3 w - - 0 1");
    const CanonicalMoves more(promotes);
    EXPECT_EQ(chess::to_uci(promotes, more.at(more.size() - 1)), "c7d8q");
    EXPECT_EQ(chess::to_uci(promotes, more.at(more.size() - 4)), "c7d8n");
    EXPECT_EQ(chess::to_uci(promotes, more.at(more.size() - 5)), "c7c8q");
}

TEST(CanonicalMoves, BlackSeesTheMirroredNumbers) {
    const auto white = *chess::parse_fen("r3k2r/8/8/3pP3/8/8/P6P/R3K2R w KQkq d6 0 2");
    const auto black = white.color_flipped();
    const CanonicalMoves white_moves(white), black_moves(black);
    ASSERT_EQ(white_moves.size(), black_moves.size());
    for (std::size_t i = 0; i < white_moves.size(); ++i) {
        EXPECT_EQ(white_moves.at(i).from(), flip_rank(black_moves.at(i).from())) << i;
        EXPECT_EQ(white_moves.at(i).to(), flip_rank(black_moves.at(i).to())) << i;
    }
}

TEST(CanonicalMoves, EveryLegalMoveHasItsOwnNumber) {
    Rng rng(Seed{4});
    for (int i = 0; i < 50; ++i) {
        chess::Position position = random_game(rng, 0).start;
        for (int ply = 0; ply < 40; ++ply) {
            const CanonicalMoves moves(position);
            if (moves.size() == 0) break;
            const chess::MoveList legal = chess::legal_moves(position);
            EXPECT_EQ(moves.size(), legal.size());
            EXPECT_TRUE(moves.at(moves.size()).is_none());
            for (std::size_t number = 0; number < moves.size(); ++number) {
                EXPECT_TRUE(legal.contains(moves.at(number))) << number;
                EXPECT_EQ(moves.number_of(moves.at(number)), number);
            }
            EXPECT_FALSE(moves.number_of(chess::Move()));
            position = position.after(moves.at(rng.below(moves.size())));
        }
    }
}

}  // namespace
}  // namespace solis::data
