// Counting what StoreSummary, which every block carries, leaves out.
#include "solis/data/store/stats.h"

#include <algorithm>

#include "solis/data/position_walk.h"

namespace solis::data {
namespace {

constexpr std::uint64_t kFilterBytes = std::uint64_t{1} << 30;

template <class Bounds, class T>
std::size_t bin_of(const Bounds& lower_bounds, T value) {
    const auto above = std::upper_bound(lower_bounds.begin(), lower_bounds.end(), value);
    return static_cast<std::size_t>(std::max<std::ptrdiff_t>(above - lower_bounds.begin(), 1) - 1);
}

}  // namespace

StoreStats::StoreStats(std::uint64_t expected_positions)
    : seen_(expected_positions, kFilterBytes) {}

void StoreStats::add(const LabelledGame& game) {
    summary.add(game);
    const std::size_t plies = game.line.size() - 1;
    ++lengths[bin_of(kLengthFrom, plies)];
    longest = std::max(longest, plies);
    ++results[static_cast<std::size_t>(game.result)];
    if (game.start == chess::Position::start()) ++standard_starts;
    walk_positions(game, [&](const chess::Position& position, const PositionLabel&) {
        ++phases[bin_of(kPhaseFrom, chess::count(position.pieces()))];
        if (position.in_check()) ++in_check;
        if (position.side_to_move() == chess::Color::White) ++white_to_move;
        if (!seen_.insert(position.key())) ++duplicates;
    });
}

}  // namespace solis::data
