// Position keys, compatible with Polyglot opening books.
#pragma once
#include <cstdint>

#include "solis/chess/polyglot_random.h"
#include "solis/chess/types.h"

namespace solis::chess::zobrist {

// Polyglot numbers its pieces black pawn, white pawn, black knight, ...
[[nodiscard]] constexpr std::uint64_t piece(Piece p, Square s) {
    const int kind = 2 * index(type_of(p)) + (color_of(p) == Color::White ? 1 : 0);
    return kPolyglotRandom[64 * kind + index(s)];
}
[[nodiscard]] constexpr std::uint64_t castling(Color c, CastlingSide side) {
    return kPolyglotRandom[768 + 2 * index(c) + static_cast<int>(side)];
}
[[nodiscard]] constexpr std::uint64_t en_passant(int file) { return kPolyglotRandom[772 + file]; }
// In the key when White is to move.
inline constexpr std::uint64_t kWhiteToMove = kPolyglotRandom[780];

}  // namespace solis::chess::zobrist
