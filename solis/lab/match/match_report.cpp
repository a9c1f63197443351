// Tables and JSON.
#include "solis/lab/match/match_report.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "solis/base/progress.h"

namespace solis::lab {
namespace {

using Json = nlohmann::ordered_json;

// The best score first.
std::vector<std::size_t> by_score(const Standings& standings) {
    std::vector<std::size_t> order(standings.players().size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    const auto share = [&](std::size_t player) {
        const ScoreCount count = standings.score(player);
        return count.games() == 0 ? -1 : count.points() / static_cast<double>(count.games());
    };
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return share(a) > share(b); });
    return order;
}

std::size_t name_width(const Standings& standings) {
    std::size_t width = 6;
    for (const std::string& name : standings.players()) width = std::max(width, name.size());
    return width;
}

// Infinite values have no JSON.
Json finite(double value) { return std::isfinite(value) ? Json(value) : Json(); }

Json count_json(const ScoreCount& count) {
    Json json{{"games", count.games()},  {"wins", count.wins},       {"draws", count.draws},
              {"losses", count.losses},  {"points", count.points()}, {"pairs", count.pairs},
              {"singles", count.singles}};
    if (const auto value = estimate(count)) {
        json["score"] = value->score;
        json["score_error"] = value->error;
        json["elo"] = finite(value->elo);
        json["elo_95"] =
            value->elo_95 ? Json::array({finite(value->elo_95->low), finite(value->elo_95->high)})
                          : Json();
        json["los"] = value->los;
    }
    return json;
}

Json faults_json(const Standings& standings, std::size_t player) {
    Json faults = Json::object();
    for (int i = 0; i < kEndings; ++i) {
        const auto ending = static_cast<Ending>(i);
        if (is_fault(ending))
            faults[std::string(name_of(ending))] = standings.faults(player, ending);
    }
    return faults;
}

Json thinking_json(const ThinkingStats& stats) {
    const double moves = std::max(static_cast<double>(stats.moves), 1.0);
    return {{"moves", stats.moves},
            {"ms_per_move", 1000 * stats.seconds / moves},
            {"nodes_per_move", stats.nodes / moves},
            {"depth", stats.depth / moves},
            {"lag_ms", stats.lag_ms / moves},
            {"worst_lag_ms", stats.worst_lag_ms}};
}

Json player_json(const Standings& standings, std::size_t player) {
    Json json{{"name", standings.players()[player]},
              {"total", count_json(standings.score(player))}};
    Json opponents = Json::array();
    for (std::size_t other = 0; other < standings.players().size(); ++other) {
        if (other == player || standings.score(player, other).games() == 0) continue;
        Json against = count_json(standings.score(player, other));
        against["opponent"] = standings.players()[other];
        opponents.push_back(std::move(against));
    }
    json["against"] = std::move(opponents);
    json["faults"] = faults_json(standings, player);
    json["thinking"] = thinking_json(standings.thinking(player));
    return json;
}

}  // namespace

std::string elo_text(const ScoreCount& count) {
    const auto value = estimate(count);
    if (!value) return "-";
    if (!std::isfinite(value->elo)) return value->elo > 0 ? "+inf" : "-inf";
    const std::string elo = fmt::format("{:+.1f}", value->elo);
    if (!value->elo_95) return elo;
    const auto [low, high] = *value->elo_95;
    if (!std::isfinite(high)) return fmt::format("{} (> {:+.0f})", elo, low);
    if (!std::isfinite(low)) return fmt::format("{} (< {:+.0f})", elo, high);
    return fmt::format("{} ± {:.1f}", elo, (high - low) / 2);
}

std::string score_table(const Standings& standings) {
    const std::size_t width = name_width(standings);
    std::string text =
        fmt::format("{:<{}}  {:>6}  {:>5} {:>5} {:>5}  {:>6}  {:>17}  {:>5}  {:>23}  {:>6}\n",
                    "engine", width, "games", "won", "drawn", "lost", "score", "Elo (95 %)", "LOS",
                    "pairs 0 ½ 1 1½ 2", "faults");
    for (const std::size_t player : by_score(standings)) {
        const ScoreCount count = standings.score(player);
        const auto value = estimate(count);
        text += fmt::format(
            "{:<{}}  {:>6}  {:>5} {:>5} {:>5}  {:>5.1f}%  {:>17}  {:>4.0f}%  {:>23}  {:>6}\n",
            standings.players()[player], width, count.games(), count.wins, count.draws,
            count.losses, value ? 100 * value->score : 0, elo_text(count),
            value ? 100 * value->los : 50, fmt::format("{}", fmt::join(count.pairs, " ")),
            standings.faults(player));
    }
    return text +
           fmt::format("{} distinct games of {}\n", standings.distinct_games(), standings.games());
}

std::string detail_table(const Standings& standings) {
    const std::size_t width = name_width(standings);
    std::string text = fmt::format("{:<{}}  {:>8}  {:>7}  {:>12}  {:>12}  {:>5}\n", "engine", width,
                                   "ms/move", "depth", "nodes/move", "lag ms", "worst");
    for (std::size_t i = 0; i < standings.players().size(); ++i) {
        const ThinkingStats& stats = standings.thinking(i);
        const double moves = std::max(static_cast<double>(stats.moves), 1.0);
        text += fmt::format("{:<{}}  {:>8.1f}  {:>7.1f}  {:>12}  {:>12.1f}  {:>5}\n",
                            standings.players()[i], width, 1000 * stats.seconds / moves,
                            stats.depth / moves, format_count(stats.nodes / moves),
                            stats.lag_ms / moves, stats.worst_lag_ms);
    }
    text += "endings:";
    for (int i = 0; i < kEndings; ++i) {
        const auto ending = static_cast<Ending>(i);
        if (standings.endings(ending) == 0) continue;
        text += fmt::format(" {} {};", name_of(ending), standings.endings(ending));
        for (std::size_t p = 0; is_fault(ending) && p < standings.players().size(); ++p) {
            if (const auto count = standings.faults(p, ending); count > 0) {
                text += fmt::format(" ({} by {})", count, standings.players()[p]);
            }
        }
    }
    const ScoreCount& white = standings.white_score();
    return text + fmt::format("\nWhite: +{} ={} -{}\n", white.wins, white.draws, white.losses);
}

Standings standings_of(const MatchReport& report) {
    Standings standings(report.players, report.paired);
    for (const GameRecord& game : report.games) standings.add(game);
    return standings;
}

std::string to_json(const MatchReport& report) {
    const Standings standings = standings_of(report);
    Json endings = Json::object();
    for (int i = 0; i < kEndings; ++i) {
        const auto ending = static_cast<Ending>(i);
        endings[std::string(name_of(ending))] = standings.endings(ending);
    }
    Json players = Json::array();
    for (std::size_t i = 0; i < report.players.size(); ++i) {
        players.push_back(player_json(standings, i));
    }
    const Json json{
        {"match", Json::parse(report.identity, nullptr, false)}, {"games", standings.games()},
        {"distinct_games", standings.distinct_games()},          {"players", std::move(players)},
        {"white", count_json(standings.white_score())},          {"endings", std::move(endings)}};
    return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace solis::lab
