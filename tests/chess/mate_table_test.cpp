// Tables of mates against the rules of chess and against what is known about these endings.
#include "solis/chess/mate_table.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "solis/base/rng.h"
#include "solis/chess/fen.h"
#include "solis/chess/movegen.h"
#include "solis/chess/rules.h"

namespace solis::chess {
namespace {

Position random_ending(std::string_view pieces, Rng& rng) {
    while (true) {
        Setup setup;
        std::string all = "Kk";
        all += pieces;
        for (const char letter : all) {
            std::size_t square = rng.below(64);
            while (setup.board[square] != Piece::None) square = rng.below(64);
            setup.board[square] = piece_from_char(letter);
        }
        setup.side_to_move = rng.chance(0.5) ? Color::White : Color::Black;
        if (const auto position = Position::from(setup)) return *position;
    }
}

// What one ply of play makes of the values of the children; none: a draw.
MateTable::Plies by_the_rules(const Position& position, MateTables& tables) {
    if (const auto outcome = chess::outcome(position, Claims::Ignored)) {
        return outcome->winner ? MateTable::Plies(0) : std::nullopt;
    }
    const bool attacks = position.side_to_move() == Color::White;
    MateTable::Plies best;
    for (const Move move : legal_moves(position)) {
        const auto after = tables.plies_to_mate(position.after(move));
        if (!after && attacks) continue;
        if (!after) return std::nullopt;
        const int plies = *after + 1;
        best = !best ? plies : attacks ? std::min(*best, plies) : std::max(*best, plies);
    }
    return best;
}

void expect_consistent(std::string_view pieces, int positions, MateTables& tables) {
    Rng rng(Seed{5});
    for (int i = 0; i < positions; ++i) {
        const Position position = random_ending(pieces, rng);
        EXPECT_EQ(tables.plies_to_mate(position), by_the_rules(position, tables))
            << to_fen(position);
        EXPECT_EQ(tables.plies_to_mate(position), tables.plies_to_mate(position.color_flipped()));
    }
}

int longest(std::string_view pieces, int positions, MateTables& tables) {
    Rng rng(Seed{7});
    int most = 0;
    for (int i = 0; i < positions; ++i) {
        const Position position = random_ending(pieces, rng);
        if (position.side_to_move() == Color::Black) continue;
        most = std::max(most, tables.plies_to_mate(position).value_or(0));
    }
    return most;
}

TEST(MateTable, OnePieceAgreesWithTheRulesOneMoveLater) {
    MateTables tables;
    for (const char* pieces : {"Q", "R", "B", "N"}) expect_consistent(pieces, 3000, tables);
    // Known since the first tablebases: 10 moves with the queen, 16 with the rook.
    EXPECT_EQ(longest("Q", 100'000, tables), 2 * 10 - 1);
    EXPECT_EQ(longest("R", 100'000, tables), 2 * 16 - 1);
    EXPECT_EQ(longest("B", 1000, tables), 0);
}

TEST(MateTable, TwoPiecesAgreeWithTheRulesOneMoveLater) {
    MateTables tables;
    expect_consistent("BB", 3000, tables);
    EXPECT_EQ(tables.plies_to_mate(*parse_fen("8/8/8/3k4/8/8/8/B1B1K3 w - - 0 1")), std::nullopt)
        << "bishops of one colour";
    const auto won = tables.plies_to_mate(*parse_fen("8/8/8/3k4/8/8/8/2B1KB2 w - - 0 1"));
    ASSERT_TRUE(won);
    EXPECT_GT(*won, 2 * 10);
    EXPECT_LE(*won, 2 * 19 - 1);
}

TEST(MateTable, PiecesThatCannotBeSolvedAreRefused) {
    EXPECT_EQ(MateTables::parse_pieces("NB").value_or(""), "BN");
    for (const char* pieces : {"", "P", "QRB", "q", "KQ"}) {
        EXPECT_FALSE(MateTables::parse_pieces(pieces)) << pieces;
    }
}

TEST(MateTables, CoverOneOrTwoPiecesAgainstABareKing) {
    const auto covered = [](const char* fen) { return MateTables::cover(*parse_fen(fen)); };
    EXPECT_TRUE(covered("4k3/8/8/8/8/8/8/R3K3 w - - 0 1"));
    EXPECT_TRUE(covered("4k3/8/8/8/8/8/8/R3K3 w Q - 40 60"));
    EXPECT_TRUE(covered("qn2k3/8/8/8/8/8/8/4K3 w - - 0 1"));
    EXPECT_FALSE(covered("4k3/8/8/8/8/8/8/4K3 w - - 0 1")) << "nothing to mate with";
    EXPECT_FALSE(covered("4k3/8/8/8/8/8/8/RRR1K3 w - - 0 1")) << "three pieces";
    EXPECT_FALSE(covered("r3k3/8/8/8/8/8/8/R3K3 w - - 0 1")) << "no bare king";
    EXPECT_FALSE(covered("4k3/8/8/8/8/8/P7/R3K3 w - - 0 1")) << "a pawn";
}

}  // namespace
}  // namespace solis::chess
