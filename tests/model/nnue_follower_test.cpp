// Sums that follow the board equal those computed from all pieces.
#include <memory>
#include <vector>

#include <gtest/gtest.h>

#include "solis/chess/fen.h"
#include "solis/chess/movegen.h"
#include "solis/model/nnue/follower.h"
#include "tests/nn/random_nnue.h"

namespace solis::model {
namespace {

using chess::Color;
using chess::Position;

const nn::NnueWeights& weights() {
    static const nn::NnueWeights net = nn::random_nnue(nn::kNnueInputs, 40, Seed{11});
    return net;
}

nn::NnueAccumulator from_all_pieces(const Position& position, Color side) {
    std::vector<int> active;
    data::for_each_nnue_input(position, data::nnue_view(position, side),
                              [&](int input) { active.push_back(input); });
    return nn::nnue_sums_reference(weights(), active);
}

void expect_right(const Position& position, const NnueState& state) {
    for (const Color side : {Color::White, Color::Black}) {
        const nn::NnueAccumulator right = from_all_pieces(position, side);
        ASSERT_TRUE(state.sums[index(side)].sums == right.sums) << to_fen(position);
        ASSERT_TRUE(state.sums[index(side)].psqt == right.psqt) << to_fen(position);
    }
}

// Castling, promotions, en passant and king walks all occur in random games.
TEST(NnueFollower, SumsAlongRandomGamesAreThoseOfAllPieces) {
    const nn::NnueNet net(weights());
    NnueFollower follower(net);
    const auto refreshed = std::make_unique<NnueState>();
    std::array<std::unique_ptr<NnueState>, 2> derived{std::make_unique<NnueState>(),
                                                      std::make_unique<NnueState>()};
    for (std::uint64_t game = 0; game < 6; ++game) {
        Rng rng(Seed{game});
        Position position = Position::start();
        follower.refresh(position, *derived[0]);
        for (int ply = 0; ply < 150; ++ply) {
            const chess::MoveList moves = chess::legal_moves(position);
            if (moves.empty()) break;
            position = position.after(moves[rng.below(moves.size())]);
            follower.derive(*derived[ply % 2], position, *derived[1 - ply % 2]);
            expect_right(position, *derived[1 - ply % 2]);
            if (ply % 7 == 0) {
                follower.refresh(position, *refreshed);
                expect_right(position, *refreshed);
            }
        }
    }
}

TEST(NnueFollower, MirroredPositionsHaveTheSameValue) {
    const nn::NnueNet net(weights());
    NnueFollower follower(net);
    NnueState state;
    Rng rng(Seed{5});
    Position position = Position::start();
    for (int ply = 0; ply < 60; ++ply) {
        const chess::MoveList moves = chess::legal_moves(position);
        if (moves.empty()) break;
        position = position.after(moves[rng.below(moves.size())]);
        follower.refresh(position, state);
        const int value = follower.value(state, position).total();
        const Position flipped = position.color_flipped();
        follower.refresh(flipped, state);
        EXPECT_EQ(follower.value(state, flipped).total(), value) << to_fen(position);
    }
}

TEST(NnueFollower, EveryInputIsInsideTheTable) {
    int inputs = 0;
    for (int square = 0; square < 64; ++square) {
        chess::Setup setup;
        setup.board[square] = chess::Piece::WhiteKing;
        setup.board[square < 32 ? 63 : 0] = chess::Piece::BlackKing;
        const auto position = Position::from(setup);
        if (!position) continue;
        for (const Color side : {Color::White, Color::Black}) {
            data::for_each_nnue_input(*position, data::nnue_view(*position, side), [&](int input) {
                ++inputs;
                EXPECT_GE(input, 0);
                EXPECT_LT(input, static_cast<int>(nn::kNnueInputs));
            });
        }
    }
    EXPECT_GE(inputs, 64);
}

}  // namespace
}  // namespace solis::model
