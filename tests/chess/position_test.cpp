// Positions: keys, rights, counters and what a move changes.
#include "solis/chess/position.h"

#include <gtest/gtest.h>

#include "solis/chess/fen.h"
#include "solis/chess/movegen.h"
#include "solis/chess/uci_move.h"
#include "tests/chess/from_fen.h"

namespace solis::chess {
namespace {

Position play(Position position, const std::vector<std::string_view>& moves) {
    for (const std::string_view text : moves) {
        const auto move = parse_uci(position, text);
        EXPECT_TRUE(move) << move.error().message;
        if (!move) break;
        position = position.after(*move);
    }
    return position;
}

TEST(Position, StartIsTheStartFen) {
    EXPECT_EQ(to_fen(Position::start()), kStartFen);
    EXPECT_EQ(from_fen(kStartFen), Position::start());
}

// The nine positions of Polyglot's own documentation.
TEST(Position, KeysAreThoseThatPolyglotPublished) {
    const std::vector<std::pair<std::vector<std::string_view>, std::uint64_t>> cases{
        {{}, 0x463b96181691fc9c},
        {{"e2e4"}, 0x823c9b50fd114196},
        {{"e2e4", "d7d5"}, 0x0756b94461c50fb0},
        {{"e2e4", "d7d5", "e4e5"}, 0x662fafb965db29d4},
        {{"e2e4", "d7d5", "e4e5", "f7f5"}, 0x22a48b5a8e47ff78},
        {{"e2e4", "d7d5", "e4e5", "f7f5", "e1e2"}, 0x652a607ca3f242c1},
        {{"e2e4", "d7d5", "e4e5", "f7f5", "e1e2", "e8f7"}, 0x00fdd303c946bdd9},
        {{"a2a4", "b7b5", "h2h4", "b5b4", "c2c4"}, 0x3c8123ea7b067637},
        {{"a2a4", "b7b5", "h2h4", "b5b4", "c2c4", "b4c3", "a1a3"}, 0x5c3f9b829b279560},
    };
    for (const auto& [moves, key] : cases) {
        EXPECT_EQ(play(Position::start(), moves).key(), key) << moves.size() << " moves";
    }
}

TEST(Position, TranspositionsAreEqualInKeyAndValue) {
    const Position a = play(Position::start(), {"g1f3", "g8f6", "b1c3", "b8c6"});
    const Position b = play(Position::start(), {"b1c3", "b8c6", "g1f3", "g8f6"});
    EXPECT_EQ(a.key(), b.key());
    EXPECT_EQ(a, b);
    // Same board, but the counters differ.
    const Position later = play(a, {"f3g1", "f6g8", "g1f3", "g8f6"});
    EXPECT_EQ(later.key(), a.key());
    EXPECT_FALSE(later == a);
}

TEST(Position, KeyTellsSideRightsAndEnPassantApart) {
    const std::uint64_t key = from_fen("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1").key();
    EXPECT_NE(from_fen("r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1").key(), key);
    EXPECT_NE(from_fen("r3k2r/8/8/8/8/8/8/R3K2R w KQk - 0 1").key(), key);
    EXPECT_EQ(from_fen("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 7 9").key(), key);
    EXPECT_NE(from_fen("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2").key(),
              from_fen("4k3/8/8/3pP3/8/8/8/4K3 w - - 0 2").key());
}

TEST(Position, EnPassantIsKeptOnlyWhereACaptureIsLegal) {
    EXPECT_EQ(play(Position::start(), {"e2e4"}).en_passant(), Square::None);
    EXPECT_EQ(play(Position::start(), {"e2e4", "a7a6", "e4e5", "d7d5"}).en_passant(), Square::D6);
    // The pawn is pinned by the rook, which no ordinary pin shows.
    const Position pinned = from_fen("8/8/8/K2pP2r/8/8/8/4k3 w - d6 0 2");
    EXPECT_EQ(pinned.en_passant(), Square::None);
    EXPECT_EQ(pinned.key(), from_fen("8/8/8/K2pP2r/8/8/8/4k3 w - - 0 2").key());
}

TEST(Position, RightsAreLostByMovingAndByBeingCaptured) {
    const Position start = from_fen("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1");
    EXPECT_EQ(to_fen_without_counters(play(start, {"h1h8"})), "r3k2R/8/8/8/8/8/8/R3K3 b Qq -");
    EXPECT_EQ(to_fen_without_counters(play(start, {"e1e2"})), "r3k2r/8/8/8/8/8/4K3/R6R b kq -");
    EXPECT_EQ(to_fen_without_counters(play(start, {"e1g1", "e8c8"})),
              "2kr3r/8/8/8/8/8/8/R4RK1 w - -");
}

TEST(Position, CastlingInChess960LiftsBothPiecesBeforeSettingThemDown) {
    // King f1 and rook g1 change places.
    const Position swap = play(from_fen("4k3/8/8/8/8/8/8/5KR1 w G - 0 1"), {"f1g1"});
    EXPECT_EQ(to_fen(swap), "4k3/8/8/8/8/8/8/5RK1 b - - 1 1");
    // The king stays, only the rook moves.
    const Position stays = play(from_fen("4k3/8/8/8/8/8/8/1RK5 w B - 0 1"), {"c1b1"});
    EXPECT_EQ(to_fen(stays), "4k3/8/8/8/8/8/8/2KR4 b - - 1 1");
}

TEST(Position, ClockResetsOnPawnMovesAndCapturesOnly) {
    Position position = from_fen("4k3/8/8/3p4/8/4N3/4P3/4K2R w K - 10 20");
    EXPECT_EQ(play(position, {"e1g1"}).halfmove_clock(), 11);
    EXPECT_EQ(play(position, {"e3d5"}).halfmove_clock(), 0);
    EXPECT_EQ(play(position, {"e3f5"}).halfmove_clock(), 11);
    EXPECT_EQ(play(position, {"e3f5", "d5d4"}).halfmove_clock(), 0);
    EXPECT_EQ(play(position, {"e3f5", "d5d4"}).fullmove_number(), 21);
}

TEST(Position, CountersStopAtTheLargestThatCanBeWritten) {
    const Position last = from_fen("4k3/8/8/8/8/8/8/4K2R b - - 32767 32767");
    const Position next = play(last, {"e8e7"});
    EXPECT_EQ(next.halfmove_clock(), kMaxCounter);
    EXPECT_EQ(next.fullmove_number(), kMaxCounter);
    EXPECT_EQ(from_fen(to_fen(next)), next);
    EXPECT_EQ(next.color_flipped().color_flipped(), next);
}

TEST(Position, ChangesOfACapturingPromotionAreThree) {
    const Position position = from_fen("1n2k3/P7/8/8/8/8/8/4K3 w - - 0 1");
    const PieceChanges changes =
        position.changes(Move::promotion(Square::A7, Square::B8, PieceType::Queen));
    ASSERT_EQ(changes.size, 3);
    EXPECT_EQ(changes.items[0], (PieceChange{Piece::BlackKnight, Square::B8, Square::None}));
    EXPECT_EQ(changes.items[1], (PieceChange{Piece::WhitePawn, Square::A7, Square::None}));
    EXPECT_EQ(changes.items[2], (PieceChange{Piece::WhiteQueen, Square::None, Square::B8}));
}

TEST(Position, NeedsChess960CastlingOnlyOffTheStandardSquares) {
    EXPECT_FALSE(Position::start().needs_chess960_castling());
    EXPECT_FALSE(from_fen("5k2/8/8/8/8/8/8/1K6 w - - 0 1").needs_chess960_castling());
    EXPECT_TRUE(from_fen("4k3/8/8/8/8/8/8/4K1R1 w G - 0 1").needs_chess960_castling());
    EXPECT_TRUE(from_fen("3k3r/8/8/8/8/8/8/4K3 w h - 0 1").needs_chess960_castling());
}

}  // namespace
}  // namespace solis::chess
