// Counts the leaves of the legal move tree: the standard test and benchmark of a move generator.
#pragma once
#include <cstdint>
#include <functional>

#include "solis/chess/position.h"

namespace solis::chess {

enum class LeafCount {
    Lists,  // the last ply's moves are written to a list, as Stockfish does
    Bulk    // the last ply's moves are only counted
};

// Number of move sequences of `depth` plies. Depth 0 is 1.
[[nodiscard]] std::uint64_t perft(const Position& position, int depth,
                                  LeafCount leaves = LeafCount::Bulk);

// The same, calling `visit` for every position on the way but the last ply's (slow).
std::uint64_t perft_visiting(const Position& position, int depth,
                             const std::function<void(const Position&)>& visit);

}  // namespace solis::chess
