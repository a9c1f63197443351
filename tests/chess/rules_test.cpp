// When a game is over by the position alone.
#include "solis/chess/rules.h"

#include <array>

#include <gtest/gtest.h>

#include "solis/base/rng.h"
#include "solis/chess/fen.h"
#include "solis/chess/movegen.h"
#include "tests/chess/from_fen.h"

namespace solis::chess {
namespace {

#ifdef SOLIS_SANITIZED
constexpr int kRandomStructures = 20000;
#else
constexpr int kRandomStructures = 60000;
#endif

std::optional<Termination> reason(std::string_view fen, Claims claims = Claims::Ignored) {
    const auto end = outcome(from_fen(fen), claims);
    if (!end) return std::nullopt;
    return end->reason;
}

TEST(Rules, MateHasAWinnerAndStalemateHasNone) {
    EXPECT_EQ(outcome(from_fen("7k/5KQ1/8/8/8/8/8/8 b - - 0 1"), Claims::Ignored),
              (Outcome{Termination::Checkmate, Color::White}));
    EXPECT_EQ(outcome(from_fen("8/8/8/8/8/8/5kq1/7K w - - 0 1"), Claims::Ignored),
              (Outcome{Termination::Checkmate, Color::Black}));
    EXPECT_EQ(outcome(from_fen("7k/5K2/6Q1/8/8/8/8/8 b - - 0 1"), Claims::Ignored),
              (Outcome{Termination::Stalemate, std::nullopt}));
    EXPECT_EQ(outcome(Position::start(), Claims::Counted), std::nullopt);
}

TEST(Rules, FiftyMovesIsAClaimAndSeventyFiveIsNot) {
    EXPECT_EQ(reason("4k3/8/8/8/8/8/8/4K2R w - - 99 80", Claims::Counted), std::nullopt);
    EXPECT_EQ(reason("4k3/8/8/8/8/8/8/4K2R w - - 100 80", Claims::Counted),
              Termination::FiftyMoves);
    EXPECT_EQ(reason("4k3/8/8/8/8/8/8/4K2R w - - 149 80"), std::nullopt);
    EXPECT_EQ(reason("4k3/8/8/8/8/8/8/4K2R w - - 150 80"), Termination::SeventyFiveMoves);
}

TEST(Rules, MateOnTheLastMoveComesBeforeTheSeventyFiveMoveRule) {
    EXPECT_EQ(reason("7k/5KQ1/8/8/8/8/8/8 b - - 150 120", Claims::Counted), Termination::Checkmate);
    EXPECT_EQ(reason("7k/5K2/6Q1/8/8/8/8/8 b - - 150 120"), Termination::Stalemate);
}

TEST(Rules, AutomaticEndsComeBeforeClaims) {
    const Position position = from_fen("4k3/8/8/8/8/8/8/4K2R w - - 150 80");
    EXPECT_EQ(draw_with_moves_left(position, Claims::Counted, 3), Termination::SeventyFiveMoves);
    EXPECT_EQ(draw_with_moves_left(position, Claims::Counted, 5), Termination::FivefoldRepetition);
    for (const Termination t : {Termination::ThreefoldRepetition, Termination::FiftyMoves}) {
        EXPECT_TRUE(needs_claim(t)) << name_of(t);
    }
    EXPECT_FALSE(needs_claim(Termination::FivefoldRepetition));
}

TEST(Rules, RepetitionsAreCountedOnlySinceTheLastIrreversibleMove) {
    const std::array<std::uint64_t, 9> keys{7, 1, 2, 3, 7, 1, 2, 3, 7};
    EXPECT_EQ(count_repetitions(keys, 8), 3);
    EXPECT_EQ(count_repetitions(keys, 7), 2);
    EXPECT_EQ(count_repetitions(keys, 3), 1);
    EXPECT_EQ(count_repetitions(keys, 1000), 3);
    EXPECT_EQ(count_repetitions({}, 0), 0);
}

TEST(Rules, InsufficientMaterialIsWhatFideLists) {
    for (const char* fen :
         {"4k3/8/8/8/8/8/8/4K3 w - -", "4k3/8/8/8/8/8/8/4KB2 w - -", "4k3/8/8/8/8/8/8/4KN2 b - -",
          "2b1k3/8/8/8/8/8/8/4KB2 w - -", "b1b1k3/1b6/8/8/8/8/8/4KB1B w - -"}) {
        EXPECT_EQ(reason(fen), Termination::InsufficientMaterial) << fen;
    }
    for (const char* fen : {"5bk1/8/8/8/8/8/8/4KB2 w - -", "4k3/8/8/8/8/8/8/3NKN2 w - -",
                            "4kn2/8/8/8/8/8/8/4KN2 w - -", "4kb2/8/8/8/8/8/8/4KN2 w - -",
                            "4k3/8/8/8/8/8/4P3/4K3 w - -", "4k3/8/8/8/8/8/8/4K2R w - -",
                            "4k3/8/8/8/8/8/8/2B1KB2 w - -"}) {
        EXPECT_EQ(reason(fen), std::nullopt) << fen;
    }
}

// Whether any position of White's king and `attacker` against Black's king and `blocker` is mate.
bool mate_exists(PieceType attacker, PieceType blocker, bool bishops_on_one_color) {
    for (int black_king = 0; black_king < 64; ++black_king) {
        if (file_of(square_at(black_king)) > 3) continue;  // the board is symmetric
        // Only these can give check at all.
        Bitboard checking = piece_attacks(attacker, square_at(black_king), 0);
        while (checking != 0) {
            const Square checker = pop_lowest(checking);
            for (int white_king = 0; white_king < 64; ++white_king) {
                for (int other = 0; other < 64; ++other) {
                    Setup setup;
                    const bool same_color =
                        contains(kDarkSquares, checker) == contains(kDarkSquares, square_at(other));
                    if (blocker == PieceType::Bishop && attacker == PieceType::Bishop &&
                        same_color != bishops_on_one_color) {
                        continue;
                    }
                    if (contains(king_attacks(square_at(black_king)), square_at(white_king))) {
                        continue;
                    }
                    setup.board[other] = make_piece(Color::Black, blocker);
                    setup.board[index(checker)] = make_piece(Color::White, attacker);
                    setup.board[white_king] = Piece::WhiteKing;
                    setup.board[black_king] = Piece::BlackKing;
                    setup.side_to_move = Color::Black;
                    const auto position = Position::from(setup);
                    if (position && position->in_check() && !has_legal_move(*position)) return true;
                }
            }
        }
    }
    return false;
}

// By trying every placement, so the table in rules.cpp is proven rather than believed.
TEST(Rules, ALonePieceCanMateExactlyWhereAMatePositionExists) {
    struct Case {
        PieceType attacker, blocker;
        bool one_color;
        std::string_view fen;
    };
    const std::vector<Case> cases{
        {PieceType::Knight, PieceType::Pawn, false, "4k3/4p3/8/8/8/8/8/4KN2 w - -"},
        {PieceType::Knight, PieceType::Knight, false, "4kn2/8/8/8/8/8/8/4KN2 w - -"},
        {PieceType::Knight, PieceType::Bishop, false, "4kb2/8/8/8/8/8/8/4KN2 w - -"},
        {PieceType::Knight, PieceType::Rook, false, "4kr2/8/8/8/8/8/8/4KN2 w - -"},
        {PieceType::Bishop, PieceType::Pawn, false, "4k3/4p3/8/8/8/8/8/4KB2 w - -"},
        {PieceType::Bishop, PieceType::Knight, false, "4kn2/8/8/8/8/8/8/4KB2 w - -"},
        {PieceType::Bishop, PieceType::Bishop, false, "4kb2/8/8/8/8/8/8/4KB2 w - -"},
        {PieceType::Bishop, PieceType::Rook, false, "4kr2/8/8/8/8/8/8/4KB2 w - -"},
#ifndef SOLIS_SANITIZED
        {PieceType::Knight, PieceType::Queen, false, "4k1q1/8/8/8/8/8/8/4KN2 w - -"},
        {PieceType::Bishop, PieceType::Bishop, true, "2b1k3/8/8/8/8/8/8/4KB2 w - -"},
        {PieceType::Bishop, PieceType::Queen, false, "4k1q1/8/8/8/8/8/8/4KB2 w - -"},
#endif
    };
    for (const Case& test : cases) {
        EXPECT_EQ(can_mate(from_fen(test.fen), Color::White),
                  mate_exists(test.attacker, test.blocker, test.one_color))
            << test.fen;
    }
}

TEST(Rules, CanMateNeedsMoreThanTheKing) {
    EXPECT_FALSE(can_mate(from_fen("4k3/8/8/8/8/8/8/3QK3 w - -"), Color::Black));
    EXPECT_TRUE(can_mate(from_fen("4k3/8/8/8/8/8/8/3QK3 w - -"), Color::White));
    EXPECT_TRUE(can_mate(from_fen("4k3/8/8/8/8/8/8/3NKN2 w - -"), Color::White));
    EXPECT_TRUE(can_mate(from_fen("4k3/8/8/8/8/8/8/3NKB2 w - -"), Color::White));
    EXPECT_TRUE(can_mate(from_fen("4k3/8/8/8/8/8/4P3/4K3 w - -"), Color::White));
}

TEST(Rules, ALockedChainWithHarmlessPiecesIsBlocked) {
    for (const char* fen : {
             "8/4k3/1p1p1p1p/pPpPpPpP/P1P1P1P1/8/4K3/8 w - -",
             "8/4k3/1p1p1p1p/pPpPpPpP/P1P1P1P1/3B4/4K3/8 w - -",
             "8/2b1k3/1p1p1p1p/pPpPpPpP/P1P1P1P1/3B4/4K3/8 b - -",
         }) {
        EXPECT_EQ(reason(fen), Termination::BlockedPosition) << fen;
        EXPECT_FALSE(can_mate(from_fen(fen), Color::White)) << fen;
    }
}

TEST(Rules, AnythingThatCouldBreakTheChainIsNotBlocked) {
    for (const char* fen : {
             // a bishop that could be given up, a rook, a knight that jumps over
             "8/4k3/1p1p1p1p/pPpPpPpP/P1P1P1P1/4B3/4K3/8 w - -",
             "8/4k3/1p1p1p1p/pPpPpPpP/P1P1P1P1/4R3/4K3/8 w - -",
             "8/4k3/1p1p1p1p/pPpPpPpP/P1P1P1P1/4N3/4K3/8 w - -",
             // a gap for the king, a free pawn, a pawn that can capture
             "8/4k3/1p1p1p2/pPpPpP2/P1P1P3/8/4K3/8 w - -",
             "8/4k3/1p1p1p2/pPpPpPpP/P1P1P1P1/8/4K3/8 w - -",
             "8/4k3/8/8/pp6/PP6/4K3/8 w - -",
             // en passant opens the chain
             "8/4k3/1p1p1p1p/pPpPpPpP/P1P1P1P1/8/4K3/8 w - g6",
         }) {
        EXPECT_EQ(reason(fen), std::nullopt) << fen;
    }
}

// A random structure of facing pawns with kings and perhaps a piece on each side.
std::optional<Position> random_structure(Rng& rng) {
    Setup setup;
    for (int file = 0; file < 8; ++file) {
        if (rng.below(8) == 0) continue;
        const int rank = 2 + static_cast<int>(rng.below(3));
        setup.board[index(make_square(file, rank))] = Piece::WhitePawn;
        setup.board[index(make_square(file, rank + 1))] = Piece::BlackPawn;
    }
    const auto put_somewhere = [&](Piece piece, int first_rank) {
        // One after the other: the order of arguments is the compiler's choice.
        const int file = static_cast<int>(rng.below(8));
        const Square s = make_square(file, first_rank + static_cast<int>(rng.below(3)));
        if (setup.board[index(s)] == Piece::None) setup.board[index(s)] = piece;
    };
    put_somewhere(Piece::WhiteKing, 0);
    put_somewhere(Piece::BlackKing, 5);
    constexpr std::array kTypes{PieceType::Bishop, PieceType::Knight, PieceType::Rook,
                                PieceType::None};
    const PieceType white = kTypes[rng.below(4)], black = kTypes[rng.below(4)];
    if (white != PieceType::None) put_somewhere(make_piece(Color::White, white), 0);
    if (black != PieceType::None) put_somewhere(make_piece(Color::Black, black), 5);
    setup.side_to_move = rng.below(2) == 0 ? Color::White : Color::Black;
    const auto position = Position::from(setup);
    if (!position) return std::nullopt;
    return *position;
}

// Whatever is played from a blocked position, no pawn moves or falls and nobody is ever in check.
TEST(Rules, NothingEverHappensInABlockedPosition) {
    Rng rng(Seed{77});
    int blocked = 0, with_pieces = 0;
    for (int i = 0; i < kRandomStructures; ++i) {
        const auto start = random_structure(rng);
        if (!start || !is_blocked(*start)) continue;
        ++blocked;
        if (count(start->pieces() ^ start->pieces(PieceType::Pawn)) > 2) ++with_pieces;
        Position position = *start;
        for (int ply = 0; ply < 300; ++ply) {
            const MoveList legal = legal_moves(position);
            if (legal.empty()) break;
            position = position.after(legal[rng.below(legal.size())]);
            ASSERT_FALSE(position.in_check()) << to_fen(*start) << " -> " << to_fen(position);
            ASSERT_EQ(position.pieces(PieceType::Pawn), start->pieces(PieceType::Pawn))
                << to_fen(*start);
        }
    }
    EXPECT_GT(blocked, 0);
    EXPECT_GT(with_pieces, 0);
}

}  // namespace
}  // namespace solis::chess
