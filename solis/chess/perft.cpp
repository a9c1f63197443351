// Perft by plain recursion over copied positions.
#include "solis/chess/perft.h"

#include "solis/chess/movegen.h"

namespace solis::chess {
namespace {

template <LeafCount Leaves>
std::uint64_t walk(const Position& position, int depth) {
    if (depth == 1) {
        if constexpr (Leaves == LeafCount::Bulk) return count_legal_moves(position);
        return legal_moves(position).size();
    }
    std::uint64_t total = 0;
    for (const Move move : legal_moves(position)) {
        total += walk<Leaves>(position.after(move), depth - 1);
    }
    return total;
}

}  // namespace

std::uint64_t perft(const Position& position, int depth, LeafCount leaves) {
    if (depth <= 0) return 1;
    return leaves == LeafCount::Bulk ? walk<LeafCount::Bulk>(position, depth)
                                     : walk<LeafCount::Lists>(position, depth);
}

std::uint64_t perft_visiting(const Position& position, int depth,
                             const std::function<void(const Position&)>& visit) {
    if (depth <= 0) return 1;
    visit(position);
    std::uint64_t total = 0;
    for (const Move move : legal_moves(position)) {
        total += perft_visiting(position.after(move), depth - 1, visit);
    }
    return total;
}

}  // namespace solis::chess
