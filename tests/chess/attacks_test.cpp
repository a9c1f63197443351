// Attack tables against slow ray walking, for both ways of indexing them.
#include "solis/chess/attacks.h"

#include <memory>

#include <gtest/gtest.h>

#include "solis/base/rng.h"
#include "tests/chess/slow_board.h"

namespace solis::chess {
namespace {

bool cpu_has_pext() {
#if defined(__x86_64__)
    return __builtin_cpu_supports("bmi2");
#else
    return true;  // a plain loop there
#endif
}

// Every subset of the relevant squares, which is all that a lookup can depend on.
void expect_all_occupancies_right(const SliderLookup& lookup, Square s, const Steps& steps,
                                  bool use_pext) {
    Bitboard occupied = 0;
    do {
        ASSERT_EQ(lookup.attacks[slider_entry(lookup, occupied, use_pext)],
                  slow_rays(s, steps, 7, occupied))
            << to_string(s) << " occupied " << occupied;
        occupied = (occupied - lookup.mask) & lookup.mask;
    } while (occupied != 0);
}

void expect_slider_tables_right(bool use_pext) {
    const auto storage = std::make_unique<SliderStorage>();
    const auto tables = std::make_unique<AttackTables>(build_attack_tables(use_pext, *storage));
    for (int i = 0; i < 64; ++i) {
        expect_all_occupancies_right(tables->rook[i], square_at(i), kStraightSteps, use_pext);
        expect_all_occupancies_right(tables->bishop[i], square_at(i), kDiagonalSteps, use_pext);
    }
}

TEST(Attacks, MagicsMapEveryOccupancyToItsAttacks) { expect_slider_tables_right(false); }

TEST(Attacks, PextMapsEveryOccupancyToItsAttacks) {
    if (!cpu_has_pext()) GTEST_SKIP() << "this CPU has no PEXT";
    expect_slider_tables_right(true);
}

// Also squares outside the masks: the edges and the slider's own square.
TEST(Attacks, SlidersIgnoreWhatTheyCannotSee) {
    Rng rng(Seed{11});
    for (int i = 0; i < 20000; ++i) {
        const Square s = square_at(static_cast<int>(rng.below(64)));
        const Bitboard occupied = rng.next() & rng.next();
        ASSERT_EQ(rook_attacks(s, occupied), slow_rays(s, kStraightSteps, 7, occupied));
        ASSERT_EQ(bishop_attacks(s, occupied), slow_rays(s, kDiagonalSteps, 7, occupied));
        ASSERT_EQ(queen_attacks(s, occupied), slow_attacks(Piece::WhiteQueen, s, occupied));
    }
}

TEST(Attacks, SteppersStayOnTheBoard) {
    for (int i = 0; i < 64; ++i) {
        const Square s = square_at(i);
        EXPECT_EQ(knight_attacks(s), slow_attacks(Piece::WhiteKnight, s, 0)) << to_string(s);
        EXPECT_EQ(king_attacks(s), slow_attacks(Piece::BlackKing, s, 0)) << to_string(s);
        EXPECT_EQ(pawn_attacks(Color::White, s), slow_attacks(Piece::WhitePawn, s, 0));
        EXPECT_EQ(pawn_attacks(Color::Black, s), slow_attacks(Piece::BlackPawn, s, 0));
        EXPECT_EQ(pawn_attacks<Color::White>(bit(s)), pawn_attacks(Color::White, s));
        EXPECT_EQ(pawn_attacks<Color::Black>(bit(s)), pawn_attacks(Color::Black, s));
    }
}

TEST(Attacks, BetweenAndLineAreWhatTwoSlidersShare) {
    for (int a = 0; a < 64; ++a) {
        for (int b = 0; b < 64; ++b) {
            const Square from = square_at(a), to = square_at(b);
            Bitboard inner = 0, whole = 0;
            for (const Steps& steps : {kStraightSteps, kDiagonalSteps}) {
                if (a == b || !contains(slow_rays(from, steps, 7, 0), to)) continue;
                inner = slow_rays(from, steps, 7, bit(to)) & slow_rays(to, steps, 7, bit(from));
                whole = (slow_rays(from, steps, 7, 0) & slow_rays(to, steps, 7, 0)) | bit(from) |
                        bit(to);
                // Rays of one kind cross beside the line too; keep what is aligned with both.
                const auto aligned = [&](Square s) {
                    const int cross = (file_of(to) - file_of(from)) * (rank_of(s) - rank_of(from)) -
                                      (rank_of(to) - rank_of(from)) * (file_of(s) - file_of(from));
                    return cross == 0;
                };
                for (int i = 0; i < 64; ++i) {
                    if (aligned(square_at(i))) continue;
                    inner &= ~bit(square_at(i));
                    whole &= ~bit(square_at(i));
                }
            }
            ASSERT_EQ(between(from, to), inner) << to_string(from) << to_string(to);
            ASSERT_EQ(line(from, to), whole) << to_string(from) << to_string(to);
        }
    }
}

TEST(Attacks, ParallelExtractGathersTheMaskedBits) {
    if (!cpu_has_pext()) GTEST_SKIP() << "this CPU has no PEXT";
    EXPECT_EQ(parallel_extract(0xABCD, 0), 0u);
    EXPECT_EQ(parallel_extract(0b101100, 0b111000), 0b101u);
    EXPECT_EQ(parallel_extract(~std::uint64_t{0}, 0x8000000000000001), 0b11u);
}

}  // namespace
}  // namespace solis::chess
