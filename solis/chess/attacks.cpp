// Builds the attack tables once at program start (about a millisecond).
#include "solis/chess/attacks.h"

#include <span>

#include "solis/base/cpu.h"
#include "solis/chess/magics.h"

namespace solis::chess {
namespace {

struct Direction {
    int file, rank;
};
constexpr std::array<Direction, 4> kBishopDirections{{{1, 1}, {1, -1}, {-1, 1}, {-1, -1}}};
constexpr std::array<Direction, 4> kRookDirections{{{1, 0}, {-1, 0}, {0, 1}, {0, -1}}};
constexpr std::array<Direction, 8> kKnightJumps{
    {{1, 2}, {2, 1}, {-1, 2}, {-2, 1}, {1, -2}, {2, -1}, {-1, -2}, {-2, -1}}};

SliderStorage slider_storage;

// The square one step away, or None over the edge.
constexpr Square step(Square s, Direction d) {
    const int file = file_of(s) + d.file, rank = rank_of(s) + d.rank;
    if (file < 0 || file > 7 || rank < 0 || rank > 7) return Square::None;
    return make_square(file, rank);
}

Bitboard walk(Square from, std::span<const Direction> directions, Bitboard occupied) {
    Bitboard attacks = 0;
    for (const Direction d : directions) {
        for (Square s = step(from, d); s != Square::None; s = step(s, d)) {
            attacks |= bit(s);
            if (contains(occupied, s)) break;
        }
    }
    return attacks;
}

Bitboard single_steps(Square from, std::span<const Direction> directions) {
    Bitboard attacks = 0;
    for (const Direction d : directions) {
        if (const Square s = step(from, d); s != Square::None) attacks |= bit(s);
    }
    return attacks;
}

// A piece on the edge blocks nothing behind it, so edges count only where the slider stands on one.
Bitboard relevant_squares(Square s, std::span<const Direction> directions) {
    const Bitboard edges =
        ((kRank1 | kRank8) & ~rank_mask(rank_of(s))) | ((kFileA | kFileH) & ~file_mask(file_of(s)));
    return walk(s, directions, 0) & ~edges;
}

// Fills the lookups of one slider; returns the first free entry after its tables.
Bitboard* fill_slider(std::array<SliderLookup, 64>& lookups, std::span<const Direction> directions,
                      const std::array<std::uint64_t, 64>& magics, bool use_pext, Bitboard* free) {
    for (int i = 0; i < 64; ++i) {
        const Square s = square_at(i);
        const Bitboard mask = relevant_squares(s, directions);
        const int bits = count(mask);
        lookups[i] = {mask, magics[i], free, static_cast<unsigned>(64 - bits)};
        Bitboard occupied = 0;
        do {
            free[slider_entry(lookups[i], occupied, use_pext)] = walk(s, directions, occupied);
            occupied = (occupied - mask) & mask;  // the next subset of mask
        } while (occupied != 0);
        free += std::size_t{1} << bits;
    }
    return free;
}

void fill_lines(AttackTables& tables, std::span<const Direction> directions) {
    for (std::size_t a = 0; a < 64; ++a) {
        const Square from = static_cast<Square>(a);
        for (const Direction d : directions) {
            const std::array<Direction, 2> both{{d, {-d.file, -d.rank}}};
            const Bitboard whole = walk(from, both, 0) | bit(from);
            Bitboard passed = 0;
            for (Square s = step(from, d); s != Square::None; s = step(s, d)) {
                tables.between[a][index(s)] = passed;
                tables.line[a][index(s)] = whole;
                passed |= bit(s);
            }
        }
    }
}

}  // namespace

AttackTables build_attack_tables(bool use_pext, SliderStorage& storage) {
    AttackTables tables{};
    for (std::size_t i = 0; i < 64; ++i) {
        const Square s = static_cast<Square>(i);
        tables.pawn[0][i] = pawn_attacks<Color::White>(bit(s));
        tables.pawn[1][i] = pawn_attacks<Color::Black>(bit(s));
        tables.knight[i] = single_steps(s, kKnightJumps);
        tables.king[i] = single_steps(s, kBishopDirections) | single_steps(s, kRookDirections);
    }
    fill_lines(tables, kBishopDirections);
    fill_lines(tables, kRookDirections);
    tables.use_pext = use_pext;
    Bitboard* free = storage.data();
    free = fill_slider(tables.rook, kRookDirections, kRookMagics, use_pext, free);
    fill_slider(tables.bishop, kBishopDirections, kBishopMagics, use_pext, free);
    return tables;
}

const AttackTables kAttacks = build_attack_tables(cpu_has_fast_pext(), slider_storage);

const char* slider_method_name() { return kAttacks.use_pext ? "pext" : "magic"; }

}  // namespace solis::chess
