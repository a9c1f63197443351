// Tables of what was counted.
#include "solis/cli/chess/pgn_report.h"

#include <algorithm>
#include <vector>

#include <nlohmann/json.hpp>

namespace solis::cli {
namespace {

using chess::GameResult;
using chess::PgnStats;
using Counts = PgnStats::Counts;
using Json = nlohmann::ordered_json;

// The most frequent keys of a table.
std::vector<std::pair<std::string, std::uint64_t>> most_frequent(const Counts& counts) {
    constexpr std::size_t kShown = 10;
    std::vector<std::pair<std::string, std::uint64_t>> sorted(counts.begin(), counts.end());
    std::stable_sort(sorted.begin(), sorted.end(),
                     [](const auto& a, const auto& b) { return a.second > b.second; });
    sorted.resize(std::min(sorted.size(), kShown));
    return sorted;
}

double mean(std::uint64_t sum, std::uint64_t of) {
    return of == 0 ? 0 : static_cast<double>(sum) / static_cast<double>(of);
}

void print_frequent(Console& console, std::string_view title, const Counts& counts) {
    if (counts.empty()) return;
    console.print("{}\n", title);
    for (const auto& [name, games] : most_frequent(counts)) {
        console.print("  {:>9} {}\n", games, name);
    }
}

}  // namespace

nlohmann::ordered_json pgn_stats_json(const PgnStats& s) {
    Json report{{"games", s.games},
                {"white_wins", s.count(GameResult::WhiteWins)},
                {"draws", s.count(GameResult::Draw)},
                {"black_wins", s.count(GameResult::BlackWins)},
                {"unknown_results", s.count(GameResult::Unknown)},
                {"differing_results", s.differing_results},
                {"plies", s.plies},
                {"longest_game", s.longest},
                {"from_position", s.from_position},
                {"variations", s.variations},
                {"variation_moves", s.variation_moves},
                {"comments", s.comments},
                {"nags", s.nags},
                {"evals", s.evals},
                {"clocks", s.clocks},
                {"elo",
                 {{"players", s.rated_players},
                  {"mean", mean(s.elo_sum, s.rated_players)},
                  {"min", s.elo_min},
                  {"max", s.elo_max}}},
                {"eco", Json::object()},
                {"openings", Json::object()}};
    for (const auto& [name, games] : most_frequent(s.eco)) report["eco"][name] = games;
    for (const auto& [name, games] : most_frequent(s.openings)) report["openings"][name] = games;
    return report;
}

void print_pgn_stats(const PgnStats& s, Console& console) {
    console.print("games       {}\n", s.games);
    console.print("results     1-0 {}, 1/2-1/2 {}, 0-1 {}, * {}\n", s.count(GameResult::WhiteWins),
                  s.count(GameResult::Draw), s.count(GameResult::BlackWins),
                  s.count(GameResult::Unknown));
    console.print("plies       {}, mean {:.1f}, longest {}\n", s.plies, mean(s.plies, s.games),
                  s.longest);
    console.print("variations  {} with {} moves\n", s.variations, s.variation_moves);
    console.print("notes       {} comments, {} NAGs, {} evals, {} clocks\n", s.comments, s.nags,
                  s.evals, s.clocks);
    if (s.from_position != 0) console.print("set up      {} games\n", s.from_position);
    if (s.differing_results != 0) {
        console.print("differing   {} games: result in tags and moves\n", s.differing_results);
    }
    if (s.rated_players != 0) {
        console.print("Elo         {} to {}, mean {:.0f}, {} ratings\n", s.elo_min, s.elo_max,
                      mean(s.elo_sum, s.rated_players), s.rated_players);
    }
    print_frequent(console, "ECO codes", s.eco);
    print_frequent(console, "openings", s.openings);
}

}  // namespace solis::cli
