// Tests of planner/deep/exchange_order.h.
#include "solis/planner/deep/exchange_order.h"

#include <gtest/gtest.h>

#include "solis/base/rng.h"
#include "solis/chess/exchange.h"
#include "solis/chess/fen.h"
#include "solis/chess/movegen.h"
#include "solis/chess/random_positions.h"
#include "solis/chess/uci_move.h"

namespace solis::planner {
namespace {

struct ExchangeCase {
    const char* fen;
    const char* move;
    bool loses;
    const char* what;
};

TEST(ExchangeOrder, KnowsWhoMayCaptureWhom) {
    const ExchangeCase cases[] = {
        {"4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", "e4d5", false, "pawn takes a free pawn"},
        {"4k3/8/2p5/3p4/4P3/8/8/4K3 w - - 0 1", "e4d5", false, "pawn takes a guarded pawn"},
        {"4k3/8/2p5/3p4/8/4N3/8/4K3 w - - 0 1", "e3d5", true, "knight takes a guarded pawn"},
        {"4k3/8/2p5/3n4/8/4N3/8/4K3 w - - 0 1", "e3d5", false, "knight takes a guarded knight"},
        {"4k3/8/2p5/3b4/8/4N3/8/4K3 w - - 0 1", "e3d5", false, "knight takes a guarded bishop"},
        {"4k3/8/2p5/3n4/8/8/3R4/4K3 w - - 0 1", "d2d5", true, "rook takes a guarded knight"},
        {"3rk3/8/8/3r4/8/8/3Q4/4K3 w - - 0 1", "d2d5", true, "queen takes a guarded rook"},
        {"3rk3/8/8/3r4/8/8/3R4/3QK3 w - - 0 1", "d2d5", false, "with support from behind"},
        {"4k3/8/8/3p4/4K3/8/8/8 w - - 0 1", "e4d5", false, "king takes what is not guarded"},
        {"4k3/8/2p5/3p4/8/8/8/3QK3 w - - 0 1", "d1d5", true, "queen takes a guarded pawn"},
        {"4k3/8/2p5/8/8/4N3/8/4K3 w - - 0 1", "e3d5", true, "quiet move to a guarded square"},
        {"4k3/8/8/8/8/4N3/8/4K3 w - - 0 1", "e3d5", false, "quiet move to a free square"},
        {"3rk3/2P5/8/8/8/8/8/4K3 w - - 0 1", "c7d8q", false, "promotions never lose"},
    };
    for (const ExchangeCase& test : cases) {
        const chess::Position position = *chess::parse_fen(test.fen);
        const chess::Move move = *chess::parse_uci(position, test.move);
        EXPECT_EQ(loses_exchange(position, move), test.loses) << test.what;
        const chess::Position flipped = position.color_flipped();
        const chess::Move other =
            move.kind() == chess::MoveKind::Promotion
                ? chess::Move::promotion(chess::flip_rank(move.from()), chess::flip_rank(move.to()),
                                         move.promotion_piece())
                : chess::Move(chess::flip_rank(move.from()), chess::flip_rank(move.to()));
        EXPECT_EQ(loses_exchange(flipped, other), test.loses) << test.what << ", flipped";
    }
}

TEST(ExchangeOrder, ToleranceForgivesSteps) {
    const chess::Position position =
        *chess::parse_fen("4k3/8/2p5/3p4/8/8/8/3QK3 w - - 0 1");  // queen for pawn: 3 steps
    const chess::Move move = *chess::parse_uci(position, "d1d5");
    EXPECT_TRUE(loses_exchange(position, move, 2));
    EXPECT_FALSE(loses_exchange(position, move, 3));
}

// The order of the pieces is no table of values, but it has the same opinion of most captures.
TEST(ExchangeOrder, AgreesWithValuesInMostPositions) {
    Rng rng(Seed{5});
    int agreed = 0, all = 0;
    for (int game = 0; game < 100; ++game) {
        const chess::Position position = chess::random_opening(30, rng).position();
        for (const chess::Move move : chess::legal_captures(position)) {
            if (move.kind() != chess::MoveKind::Normal) continue;
            agreed +=
                loses_exchange(position, move) == (chess::static_exchange(position, move) < 0);
            ++all;
        }
    }
    ASSERT_GT(all, 200);
    EXPECT_GT(agreed, all * 9 / 10);
}

}  // namespace
}  // namespace solis::planner
