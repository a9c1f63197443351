// Danger around a king, as bits: which squares beside it are attacked, where it can flee, and from
// where it can be checked safely. Contacts know of occupied squares only.
#pragma once
#include <array>
#include <cstdint>

#include "solis/chess/attacked_squares.h"
#include "solis/chess/position.h"

namespace solis::data {

// The eight squares beside the king have places 0..7: from the lower rank to the upper one, and in
// each from file a on. Squares that are not on the board have no bit.
//   8 * kind + place   an enemy piece of that kind (pawn to king) attacks the square
//   48 + place         the king may go there: nothing attacks it, no own piece stands there
//   56 + 2 * t, + 1    the enemy has one such safe check, has two: by knight, bishop, rook, queen
using KingDanger = std::uint64_t;
inline constexpr int kKingDangerBits = 64;
inline constexpr int kPlaceBits = 56;  // those of places

// Of the king of `side`, with what both sides attack.
[[nodiscard]] KingDanger king_danger(const chess::Position& position, chess::Color side,
                                     const chess::AttackedSquares& own,
                                     const chess::AttackedSquares& enemy);

// Places as they are seen with ranks turned over (bit 0 of the index), files (bit 1), or both.
inline constexpr auto kSeenPlaces = [] {
    std::array<std::array<std::uint8_t, 8>, 4> seen{};
    for (unsigned flip = 0; flip < 4; ++flip) {
        for (unsigned place = 0; place < 8; ++place) {
            const unsigned square =
                place < 4 ? place : place + 1;  // of nine, the king in the middle
            const unsigned rank = flip & 1 ? 2 - square / 3 : square / 3;
            const unsigned file = flip & 2 ? 2 - square % 3 : square % 3;
            const unsigned to = 3 * rank + file;
            seen[flip][place] = static_cast<std::uint8_t>(to < 4 ? to : to - 1);
        }
    }
    return seen;
}();

// The bit that says of the turned board what `bit` says of the board as it is.
[[nodiscard]] constexpr int seen_bit(int bit, unsigned flip) {
    if (bit >= kPlaceBits) return bit;
    return (bit & ~7) | kSeenPlaces[flip][static_cast<std::size_t>(bit & 7)];
}

}  // namespace solis::data
