// Matches at equal depth: points and nodes of both sides, in the paper's layout.
#include "solis/lab/paper/depth_report.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "solis/base/chart_svg.h"
#include "solis/lab/match/match_report.h"
#include "solis/lab/rating/distributions.h"
#include "solis/lab/rating/record_results.h"

namespace solis::lab {
namespace {

using Json = nlohmann::ordered_json;

void add_nodes(NodeCount& count, const PlayedMove& move) {
    ++count.moves;
    count.sum += static_cast<double>(move.nodes);
    count.most = std::max(count.most, move.nodes);
}

std::optional<double> published_points(PaperModel model, const PaperConfig& config) {
    for (const PaperMatch& match : paper_matches()) {
        if (match.model != model || match.depth != config.depth) continue;
        return config.scoring == Scoring::Anchored ? match.anchored : match.unanchored;
    }
    return std::nullopt;
}

std::string share_text(std::optional<double> points_of_200) {
    return points_of_200 ? fmt::format("{:.2f}", *points_of_200 / 2) : "--";
}

Json to_json(const NodeCount& count) {
    return {{"moves", count.moves}, {"average", count.average()}, {"most", count.most}};
}

}  // namespace

std::uint64_t beam_nodes(const PaperConfig& config) {
    std::uint64_t sum = 0, level = 1;
    for (int ply = 0; ply <= config.depth; ++ply) {
        sum += level;
        level *= static_cast<std::uint64_t>(config.width);
    }
    return sum;
}

DepthMatch count_match(const PaperConfig& config, std::span<const GameRecord> games) {
    DepthMatch match;
    match.config = config;
    ResultTable table;
    const std::size_t solis = table.player(config.name());
    add_records(table, games);
    for (const Encounter& encounter : table.encounters_of(solis))
        match.score += encounter.as_match();
    std::set<std::uint64_t> fingerprints;
    for (const GameRecord& game : games) {
        fingerprints.insert(fingerprint(game));
        bool white_moves = game.start.side_to_move() == chess::Color::White;
        for (std::size_t ply = 0; ply < game.moves.size(); ++ply, white_moves = !white_moves) {
            if (ply < game.book_plies) continue;
            const bool is_solis = (white_moves ? game.white : game.black) == config.name();
            add_nodes(is_solis ? match.solis : match.stockfish, game.moves[ply]);
        }
    }
    match.distinct_games = fingerprints.size();
    return match;
}

std::string depth_text(std::span<const DepthMatch> matches) {
    std::string text = "SOLIS against Stockfish at equal depth, points of SOLIS in percent\n\n";
    text += fmt::format("{:<18}  {:>5}  {:>8}  {:>7}  {:>7}  {:>20}  {:>10}  {:>10}\n", "player",
                        "games", "distinct", "SOLIS", "SF", "Elo", "paper base", "paper mini");
    for (const DepthMatch& match : matches) {
        const double points = 100 * match.score.points() / static_cast<double>(match.score.games());
        text += fmt::format("{:<18}  {:>5}  {:>8}  {:>7.2f}  {:>7.2f}  {:>20}  {:>10}  {:>10}\n",
                            match.config.name(), match.score.games(), match.distinct_games, points,
                            100 - points, elo_text(match.score),
                            share_text(published_points(PaperModel::Base, match.config)),
                            share_text(published_points(PaperModel::Mini, match.config)));
    }
    for (const DepthMatch& match : matches) {
        if (match.distinct_games == match.score.games()) continue;
        text += fmt::format(
            "\nwarning: {}: only {} of {} games are different, the interval is too "
            "narrow\n",
            match.config.name(), match.distinct_games, match.score.games());
    }
    return text;
}

std::string nodes_text(std::span<const DepthMatch> matches) {
    std::string text =
        "nodes per move at equal depth; SOLIS counts every position embedded, the paper's count is "
        "the\nexpanded ones only (at most)\n\n";
    text += fmt::format("{:<18}  {:>10}  {:>10}  {:>12}  {:>10}  {:>10}  {:>16}\n", "player",
                        "SOLIS", "most", "paper's count", "SF", "most", "paper's SF, most");
    for (const DepthMatch& match : matches) {
        std::string published = "--";
        for (const PaperNodes& nodes : paper_nodes()) {
            if (nodes.depth == match.config.depth) {
                published = fmt::format("{}, {}", nodes.stockfish_average, nodes.stockfish_most);
            }
        }
        text += fmt::format("{:<18}  {:>10.0f}  {:>10}  {:>13}  {:>10.0f}  {:>10}  {:>16}\n",
                            match.config.name(), match.solis.average(), match.solis.most,
                            beam_nodes(match.config), match.stockfish.average(),
                            match.stockfish.most, published);
    }
    return text;
}

std::string depth_json(std::span<const DepthMatch> matches) {
    Json list = Json::array();
    for (const DepthMatch& match : matches) {
        list.push_back({{"depth", match.config.depth},
                        {"width", match.config.width},
                        {"scoring", to_string(match.config.scoring)},
                        {"wins", match.score.wins},
                        {"draws", match.score.draws},
                        {"losses", match.score.losses},
                        {"pairs", match.score.pairs},
                        {"distinct_games", match.distinct_games},
                        {"solis_nodes", to_json(match.solis)},
                        {"stockfish_nodes", to_json(match.stockfish)}});
    }
    return Json{{"equal_depth", list}}.dump();
}

std::string depth_svg(std::span<const DepthMatch> matches) {
    ChartPanel panel{"points of SOLIS in percent by depth (dashed: the paper's mini)", {}, {}};
    for (const Scoring scoring : {Scoring::Unanchored, Scoring::Anchored}) {
        ChartSeries ours, published;
        for (const DepthMatch& match : matches) {
            const auto value = estimate(match.score);
            if (match.config.scoring != scoring || !value) continue;
            const auto depth = static_cast<double>(match.config.depth);
            const double half = 100 * interval_width(0.95) * value->error;
            const double points = 100 * value->score;
            ours.points.push_back({depth, points, points - half, points + half});
            const auto paper = published_points(PaperModel::Mini, match.config);
            if (paper) published.points.push_back({depth, *paper / 2});
            if (scoring == matches[0].config.scoring) panel.x_ticks.push_back(depth);
        }
        if (ours.points.empty()) continue;
        ours.name = to_string(scoring);
        ours.color = published.color = chart_color(panel.series.size() / 2);
        ours.banded = ours.dotted_points = published.dashed = true;
        panel.series.push_back(std::move(ours));
        panel.series.push_back(std::move(published));
    }
    return chart_svg("SOLIS against Stockfish at equal depth", {panel});
}

}  // namespace solis::lab
