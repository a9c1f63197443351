// Series of captures on one square.
#include "solis/chess/exchange.h"

#include <gtest/gtest.h>

#include "solis/chess/fen.h"
#include "solis/chess/movegen.h"
#include "solis/chess/uci_move.h"

namespace solis::chess {
namespace {

constexpr int kPawn = exchange_value(PieceType::Pawn);
constexpr int kKnight = exchange_value(PieceType::Knight);
constexpr int kRook = exchange_value(PieceType::Rook);
constexpr int kQueen = exchange_value(PieceType::Queen);

struct ExchangeCase {
    const char* what;
    const char* fen;
    const char* move;
    int gain;
};

constexpr ExchangeCase kExchanges[] = {
    {"an undefended pawn", "1k1r4/1pp4p/p7/4p3/8/P5P1/1PP4P/2K1R3 w - - 0 1", "e1e5", kPawn},
    {"a defended pawn", "1k1r3q/1ppn3p/p4b2/4p3/8/P2N2P1/1PP1R1BP/2K1Q3 w - - 0 1", "d3e5",
     kPawn - kKnight},
    {"a quiet move to a safe square", "4k3/8/8/8/8/8/8/R3K3 w - - 0 1", "a1a5", 0},
    {"a quiet move to an attacked square", "4k3/8/1p6/8/8/8/8/R3K3 w - - 0 1", "a1a5", -kRook},
    {"a rook behind the rook", "3rk3/8/8/3p4/8/8/3R4/3RK3 w - - 0 1", "d2d5", kPawn},
    {"en passant, undefended", "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", kPawn},
    {"a king does not capture what is defended", "8/8/3k4/3p4/8/8/3R4/3QK3 w - - 0 1", "d2d5",
     kPawn},
    {"a queen for a defended pawn", "4k3/8/2p5/3p4/8/8/3Q4/4K3 w - - 0 1", "d2d5", kPawn - kQueen},
};

TEST(StaticExchange, GainsWhatBothSidesWouldPlay) {
    for (const ExchangeCase& test : kExchanges) {
        const auto position = parse_fen(test.fen);
        ASSERT_TRUE(position) << test.fen;
        const auto move = parse_uci(*position, test.move);
        ASSERT_TRUE(move) << test.what;
        EXPECT_EQ(static_exchange(*position, *move), test.gain) << test.what;
        const Position flipped = position->color_flipped();
        for (const Move other : legal_moves(flipped)) {
            if (other.from() != flip_rank(move->from()) || other.to() != flip_rank(move->to())) {
                continue;
            }
            EXPECT_EQ(static_exchange(flipped, other), test.gain) << test.what << ", flipped";
        }
    }
}

}  // namespace
}  // namespace solis::chess
