// Counting over the games of a PGN file.
#include "solis/chess/pgn/stats.h"

#include <algorithm>
#include <string_view>

namespace solis::chess {
namespace {

using Counts = PgnStats::Counts;

std::optional<int> elo_in_tag(const PgnGame& game, std::string_view tag) {
    const std::string_view text = game.tag(tag).value_or("");
    int value = 0;
    const bool digits =
        !text.empty() && text.size() <= 4 &&
        std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
    if (!digits) return std::nullopt;
    for (const char c : text) value = 10 * value + (c - '0');
    return value == 0 ? std::nullopt : std::optional(value);
}

void count_key(Counts& counts, std::optional<std::string_view> key) {
    // A hostile file could name any number of openings.
    constexpr std::size_t kMostKeys = 100'000;
    if (!key || key->empty() || *key == "?") return;
    const auto found = counts.find(*key);
    if (found != counts.end()) {
        ++found->second;
    } else if (counts.size() < kMostKeys) {
        counts.emplace(*key, 1);
    }
}

}  // namespace

void PgnStats::add(const PgnGame& game, const PgnReader& reader) {
    ++games;
    ++results[static_cast<std::size_t>(game.result())];
    plies += game.ply_count();
    longest = std::max<std::uint64_t>(longest, game.ply_count());
    variations += game.variation_count();
    variation_moves += game.nodes().size() - 1 - game.ply_count();
    from_position += game.start() == Position::start() ? 0 : 1;
    differing_results += reader.results_differ() ? 1 : 0;
    for (const PgnNote& note : game.notes()) add(note);
    for (const std::string_view tag : {"WhiteElo", "BlackElo"}) add_elo(elo_in_tag(game, tag));
    count_key(eco, game.tag("ECO"));
    count_key(openings, game.tag("Opening"));
}

void PgnStats::add(const PgnNote& note) {
    using Kind = PgnNoteKind;
    comments += note.kind == Kind::Comment;
    nags += note.kind == Kind::Nag;
    evals += note.kind == Kind::Centipawns || note.kind == Kind::Mate;
    clocks += note.kind == Kind::Clock;
}

void PgnStats::add_elo(std::optional<int> value) {
    if (!value) return;
    elo_min = rated_players == 0 ? *value : std::min(elo_min, *value);
    elo_max = std::max(elo_max, *value);
    ++rated_players;
    elo_sum += static_cast<std::uint64_t>(*value);
}

}  // namespace solis::chess
