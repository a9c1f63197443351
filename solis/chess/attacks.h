// Attack sets of every piece. Sliders use PEXT or multiplication, whichever this CPU does faster.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>

#include "solis/chess/bitboard.h"

namespace solis::chess {

// One rook or bishop on one square: where its table starts and how an occupancy is indexed.
struct SliderLookup {
    Bitboard mask;  // squares whose occupancy matters
    std::uint64_t magic;
    const Bitboard* attacks;
    unsigned shift;
};

struct AttackTables {
    std::array<std::array<Bitboard, 64>, 2> pawn;  // [colour][square]
    std::array<Bitboard, 64> knight;
    std::array<Bitboard, 64> king;
    std::array<SliderLookup, 64> bishop;
    std::array<SliderLookup, 64> rook;
    std::array<std::array<Bitboard, 64>, 64> between;  // squares strictly between two aligned ones
    std::array<std::array<Bitboard, 64>, 64> line;     // the whole line through two aligned ones
    bool use_pext;
};

// Entries of all slider tables: every subset of the relevant squares of rooks, then of bishops.
inline constexpr std::size_t kSliderEntries = 102400 + 5248;
using SliderStorage = std::array<Bitboard, kSliderEntries>;

// The tables for either way of indexing; the slider lookups point into `storage`.
[[nodiscard]] AttackTables build_attack_tables(bool use_pext, SliderStorage& storage);

// Built before main; not usable in the static initialisers of other files.
extern const AttackTables kAttacks;

// "pext" or "magic".
[[nodiscard]] const char* slider_method_name();

[[nodiscard]] inline std::uint64_t parallel_extract(std::uint64_t value, std::uint64_t mask) {
#if defined(__x86_64__)
    // Assembly because the intrinsic would need every caller to be compiled for BMI2.
    std::uint64_t result;
    asm("pext %2, %1, %0" : "=r"(result) : "r"(value), "r"(mask));
    return result;
#else
    std::uint64_t result = 0;
    for (std::uint64_t bit = 1; mask != 0; bit <<= 1, mask &= mask - 1) {
        if (value & mask & -mask) result |= bit;
    }
    return result;
#endif
}

[[nodiscard]] inline std::uint64_t slider_entry(const SliderLookup& s, Bitboard occupied,
                                                bool use_pext) {
    if (use_pext) return parallel_extract(occupied, s.mask);
    return (occupied & s.mask) * s.magic >> s.shift;
}
[[nodiscard]] inline Bitboard slider_attacks(const SliderLookup& s, Bitboard occupied) {
    // The same way in the whole run, so the branch inside costs nothing.
    return s.attacks[slider_entry(s, occupied, kAttacks.use_pext)];
}

[[nodiscard]] inline Bitboard pawn_attacks(Color c, Square s) {
    return kAttacks.pawn[index(c)][index(s)];
}
[[nodiscard]] inline Bitboard knight_attacks(Square s) { return kAttacks.knight[index(s)]; }
[[nodiscard]] inline Bitboard king_attacks(Square s) { return kAttacks.king[index(s)]; }
[[nodiscard]] inline Bitboard bishop_attacks(Square s, Bitboard occupied) {
    return slider_attacks(kAttacks.bishop[index(s)], occupied);
}
[[nodiscard]] inline Bitboard rook_attacks(Square s, Bitboard occupied) {
    return slider_attacks(kAttacks.rook[index(s)], occupied);
}
[[nodiscard]] inline Bitboard queen_attacks(Square s, Bitboard occupied) {
    return bishop_attacks(s, occupied) | rook_attacks(s, occupied);
}
// Not for pawns, whose attacks depend on the colour.
[[nodiscard]] inline Bitboard piece_attacks(PieceType type, Square s, Bitboard occupied) {
    switch (type) {
        case PieceType::Knight:
            return knight_attacks(s);
        case PieceType::Bishop:
            return bishop_attacks(s, occupied);
        case PieceType::Rook:
            return rook_attacks(s, occupied);
        case PieceType::Queen:
            return queen_attacks(s, occupied);
        case PieceType::King:
            return king_attacks(s);
        default:
            return 0;
    }
}
[[nodiscard]] inline Bitboard between(Square a, Square b) {
    return kAttacks.between[index(a)][index(b)];
}
[[nodiscard]] inline Bitboard line(Square a, Square b) { return kAttacks.line[index(a)][index(b)]; }

}  // namespace solis::chess
