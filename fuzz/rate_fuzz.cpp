// Any bytes given to "solis rate" as PGN are counted, and ratings made of them are finite.
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "solis/lab/rating/bayes_elo.h"
#include "solis/lab/rating/pgn_results.h"

namespace lab = solis::lab;

namespace {

// Fitting takes the square of the players: what is looked for is in how they are read.
constexpr std::size_t kMostPlayers = 12;

}  // namespace

int rate_fuzz(const std::uint8_t* bytes, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(bytes), size);
    const auto source = solis::memory_source(text);
    lab::PgnResults results;
    if (!lab::read_pgn_results(*source, results)) std::abort();  // memory can always be read
    const std::uint64_t left_out = results.unfinished + results.self_play + results.unnamed;
    if (left_out > results.games) std::abort();
    const std::size_t players = results.table.names().size();
    if (players < 2 || players > kMostPlayers) return 0;
    const auto ratings = lab::rate(results.table, {});
    if (!ratings) return 0;
    for (const double elo : ratings->elo) {
        if (!std::isfinite(elo)) std::abort();
    }
    return 0;
}
