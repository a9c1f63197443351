// What must hold in every position and for every move, checked over whole move trees.
#include <algorithm>

#include <gtest/gtest.h>

#include "solis/base/rng.h"
#include "solis/chess/fen.h"
#include "solis/chess/movegen.h"
#include "solis/chess/perft.h"
#include "solis/chess/san.h"
#include "solis/chess/uci_move.h"
#include "tests/chess/awkward_positions.h"
#include "tests/chess/slow_board.h"

namespace solis::chess {
namespace {

#ifdef SOLIS_SANITIZED
constexpr int kDepth = 2;
constexpr int kRandomGames = 5;
#else
constexpr int kDepth = 3;
constexpr int kRandomGames = 100;
#endif

Square find_king(const Board& board, Color c) {
    const auto at = std::find(board.begin(), board.end(), make_piece(c, PieceType::King));
    return square_at(static_cast<int>(at - board.begin()));
}

// The board after the changes a move announces: first everything is lifted, then set down.
Board apply_changes(Board board, const PieceChanges& changes) {
    for (const PieceChange& change : changes) {
        if (change.from == Square::None) continue;
        EXPECT_EQ(board[index(change.from)], change.piece);
        board[index(change.from)] = Piece::None;
    }
    for (const PieceChange& change : changes) {
        if (change.to == Square::None) continue;
        EXPECT_EQ(board[index(change.to)], Piece::None);
        board[index(change.to)] = change.piece;
    }
    return board;
}

void check_position(const Position& position) {
    EXPECT_EQ(position.key(), position.recomputed_key());
    for (const CastlingFen style : {CastlingFen::XFen, CastlingFen::Shredder}) {
        const auto again = parse_fen(to_fen(position, style));
        ASSERT_TRUE(again) << again.error().message;
        EXPECT_EQ(*again, position);
    }
    const auto rebuilt = Position::from(position.setup());
    ASSERT_TRUE(rebuilt);
    EXPECT_EQ(*rebuilt, position);

    const Position flipped = position.color_flipped();
    EXPECT_EQ(flipped.color_flipped(), position);
    EXPECT_EQ(count_legal_moves(flipped), count_legal_moves(position));
    EXPECT_EQ(flipped.in_check(), position.in_check());

    const Color us = position.side_to_move();
    const Board board = position.setup().board;
    EXPECT_EQ(position.in_check(), slow_is_attacked(board, position.king(us), ~us));
    EXPECT_EQ(position.in_check(), position.checkers() != 0);
}

void check_move(const Position& position, Move move) {
    EXPECT_TRUE(is_legal(position, move));
    for (const CastlingNotation castling :
         {CastlingNotation::Automatic, CastlingNotation::KingTakesRook}) {
        const auto parsed = parse_uci(position, to_uci(position, move, castling));
        ASSERT_TRUE(parsed) << parsed.error().message;
        EXPECT_EQ(*parsed, move);
    }
    EXPECT_EQ(match_san(position, to_san(position, move)), move) << to_san(position, move);

    const Position next = position.after(move);
    if (move.kind() == MoveKind::Normal && next.en_passant() == Square::None &&
        next.castling_rooks() == position.castling_rooks()) {
        EXPECT_EQ(position.likely_key_after(move), next.key());
    }
    const Board board = next.setup().board;
    EXPECT_EQ(apply_changes(position.setup().board, position.changes(move)), board);
    EXPECT_EQ(next.side_to_move(), ~position.side_to_move());
    const Color us = position.side_to_move();
    EXPECT_FALSE(slow_is_attacked(board, find_king(board, us), ~us));
}

void check_move_lists(const Position& position) {
    const MoveList legal = legal_moves(position);
    EXPECT_EQ(count_legal_moves(position), legal.size());
    EXPECT_EQ(has_legal_move(position), !legal.empty());
    const MoveList captures = legal_captures(position);
    std::size_t expected = 0;
    for (const Move move : legal) {
        EXPECT_EQ(std::count(legal.begin(), legal.end(), move), 1);
        const bool wanted = position.is_capture(move) || move.kind() == MoveKind::Promotion;
        if (wanted) ++expected;
        EXPECT_EQ(captures.contains(move), wanted) << to_uci(position, move);
        check_move(position, move);
    }
    EXPECT_EQ(captures.size(), expected);
}

// A failure inside names the position.
void check_all(const Position& position) {
    SCOPED_TRACE(to_fen(position, CastlingFen::Shredder));
    check_position(position);
    check_move_lists(position);
}

class Invariants : public testing::TestWithParam<std::string_view> {};

TEST_P(Invariants, HoldInTheWholeMoveTree) {
    const auto position = parse_fen(GetParam());
    ASSERT_TRUE(position) << position.error().message;
    std::uint64_t visited = 0;
    const std::uint64_t leaves = perft_visiting(*position, kDepth, [&](const Position& p) {
        ++visited;
        if (!testing::Test::HasFailure()) check_all(p);
    });
    std::uint64_t inside = 0;
    for (int depth = 0; depth < kDepth; ++depth) inside += perft(*position, depth);
    EXPECT_EQ(visited, inside) << "every position but those of the last ply";
    EXPECT_EQ(leaves, perft(*position, kDepth));
}

INSTANTIATE_TEST_SUITE_P(Awkward, Invariants, testing::ValuesIn(kAwkwardFens));

// Long games reach endgames and promoted pieces that no shallow tree contains.
TEST(Invariants, HoldInRandomGames) {
    Rng rng(Seed{2026});
    for (int game = 0; game < kRandomGames && !HasFailure(); ++game) {
        Position position = Position::start();
        for (int ply = 0; ply < 200 && !HasFailure(); ++ply) {
            check_all(position);
            const MoveList legal = legal_moves(position);
            if (legal.empty()) break;
            position = position.after(legal[rng.below(legal.size())]);
        }
    }
}

// Every one of the 65536 bit patterns.
TEST(Invariants, OnlyListedMovesAreLegal) {
    for (const std::string_view fen : kAwkwardFens) {
        const auto position = parse_fen(fen);
        ASSERT_TRUE(position);
        const MoveList legal = legal_moves(*position);
        for (std::uint32_t bits = 0; bits < 65536; ++bits) {
            const Move move = Move::from_bits(static_cast<std::uint16_t>(bits));
            ASSERT_EQ(is_legal(*position, move), legal.contains(move)) << fen << " bits " << bits;
        }
    }
}

}  // namespace
}  // namespace solis::chess
