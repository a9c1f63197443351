// Sets of squares as 64-bit words: bit i is square i.
#pragma once
#include <bit>
#include <cstdint>

#include "solis/chess/types.h"

namespace solis::chess {

using Bitboard = std::uint64_t;

inline constexpr Bitboard kFileA = 0x0101010101010101;
inline constexpr Bitboard kFileH = kFileA << 7;
inline constexpr Bitboard kRank1 = 0xFF;
inline constexpr Bitboard kRank8 = kRank1 << 56;
inline constexpr Bitboard kDarkSquares = 0xAA55AA55AA55AA55;

[[nodiscard]] constexpr Bitboard bit(Square s) { return Bitboard{1} << index(s); }
[[nodiscard]] constexpr Bitboard rank_mask(int rank) { return kRank1 << (8 * rank); }
[[nodiscard]] constexpr Bitboard file_mask(int file) { return kFileA << file; }
[[nodiscard]] constexpr bool contains(Bitboard b, Square s) { return (b >> index(s) & 1) != 0; }
[[nodiscard]] constexpr int count(Bitboard b) { return std::popcount(b); }
[[nodiscard]] constexpr bool more_than_one(Bitboard b) { return (b & (b - 1)) != 0; }

// Lowest square; `b` must not be empty (the builtin, unlike countr_zero, needs no zero check).
[[nodiscard]] constexpr Square lowest(Bitboard b) { return square_at(__builtin_ctzll(b)); }
constexpr Square pop_lowest(Bitboard& b) {
    const Square s = lowest(b);
    b &= b - 1;
    return s;
}

// Moves every square by one king step given as a square offset; squares leaving the board vanish.
template <int Step>
[[nodiscard]] constexpr Bitboard shift(Bitboard b) {
    constexpr int kFileStep = ((Step % 8) + 8 + 1) % 8 - 1;  // -1, 0 or +1
    if constexpr (kFileStep == 1) b &= ~kFileH;
    if constexpr (kFileStep == -1) b &= ~kFileA;
    if constexpr (Step > 0) {
        return b << Step;
    } else {
        return b >> -Step;
    }
}

template <Color Us>
[[nodiscard]] constexpr Bitboard pawn_attacks(Bitboard pawns) {
    constexpr int kUp = forward(Us);
    return shift<kUp - 1>(pawns) | shift<kUp + 1>(pawns);
}

}  // namespace solis::chess
