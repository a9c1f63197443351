// Counting over the games of a PGN file: results, lengths, ratings, openings, annotations.
#pragma once
#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>

#include "solis/chess/pgn/reader.h"

namespace solis::chess {

struct PgnStats {
    using Counts = std::map<std::string, std::uint64_t, std::less<>>;

    std::uint64_t games = 0, plies = 0, longest = 0, variations = 0, variation_moves = 0;
    std::uint64_t comments = 0, nags = 0, evals = 0, clocks = 0;
    std::array<std::uint64_t, 4> results{};  // indexed by GameResult
    std::uint64_t from_position = 0, differing_results = 0;
    std::uint64_t rated_players = 0, elo_sum = 0;
    int elo_min = 0, elo_max = 0;
    Counts eco, openings;  // games with that tag

    // `reader` has just read `game`.
    void add(const PgnGame& game, const PgnReader& reader);
    [[nodiscard]] std::uint64_t count(GameResult result) const {
        return results[static_cast<std::size_t>(result)];
    }

  private:
    void add(const PgnNote& note);
    void add_elo(std::optional<int> value);
};

}  // namespace solis::chess
