// The key under which a plan remembers what it learned about a position.
#pragma once
#include <cstdint>

#include "solis/chess/position.h"

namespace solis::planner {

// Positions with the same key are the same to the encoder: where it reads the move counters, they
// are part of the key.
[[nodiscard]] inline std::uint64_t table_key(const chess::Position& position,
                                             bool encoder_reads_counters) {
    if (!encoder_reads_counters) return position.key();
    const auto halfmoves = static_cast<std::uint64_t>(position.halfmove_clock());
    const auto moves = static_cast<std::uint64_t>(position.fullmove_number());
    // Odd, so that no two pairs of counters give the same.
    return position.key() ^ ((halfmoves << 32 | moves) * 0xd1342543de82ef95);
}

}  // namespace solis::planner
