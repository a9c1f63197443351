// The Elo ladder in the paper's layout, with ratings and with how far they can be trusted.
#include "solis/lab/paper/ladder_report.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "solis/base/chart_svg.h"
#include "solis/lab/paper/audit.h"
#include "solis/lab/rating/distributions.h"
#include "solis/lab/rating/record_results.h"
#include "solis/lab/rating/simulated_fit.h"

namespace solis::lab {
namespace {

using Json = nlohmann::ordered_json;

double half_width(const RatedColumn& column) { return interval_width(0.95) * column.error; }

Result<RatedColumn> rate_column(const LadderColumn& column, std::span<const int> caps) {
    ResultTable table;
    const std::size_t solis = table.player(column.config.name());
    add_records(table, column.games);
    RatedColumn rated;
    rated.config = column.config;
    RatingOptions options;
    options.fit_draw_elo = true;
    for (const Encounter& games : table.encounters_of(solis)) {
        const std::string& name = table.names()[games.second];
        const auto cap = std::find_if(caps.begin(), caps.end(),
                                      [&](int known) { return capped_name(known) == name; });
        if (cap == caps.end()) return fail(fmt::format("{} is not part of this ladder", name));
        options.anchors.push_back({games.second, static_cast<double>(*cap)});
        rated.cells.emplace_back(*cap, games.as_match());
    }
    std::sort(rated.cells.begin(), rated.cells.end(),
              [](const auto& a, const auto& b) { return a.first < b.first; });
    auto ratings = rate(table, options);
    if (!ratings) {  // too few games to tell draws from strength
        options.fit_draw_elo = false;
        ratings = rate(table, options);
    }
    if (!ratings) return fail_in(column.config.name(), ratings.error());
    rated.elo = ratings->elo[solis];
    rated.error = ratings->standard_error(solis, ErrorSource::Pairs);
    GoodnessOfFit fit = check_fit(table, *ratings);
    fit.results.simulated_p = simulate_p(table, *ratings, options, fit.results);
    rated.fit = fit.ladders;
    rated.warnings = fit_warnings(table, *ratings, fit);
    std::set<std::uint64_t> fingerprints;
    for (const GameRecord& game : column.games) fingerprints.insert(fingerprint(game));
    rated.distinct_games = fingerprints.size();
    return rated;
}

std::string cell_text(const ScoreCount& count) {
    return fmt::format("{}-{}-{} ({:.0f})", count.wins, count.draws, count.losses,
                       100 * count.points() / static_cast<double>(count.games()));
}

const ScoreCount* find_cell(const RatedColumn& column, int cap) {
    for (const auto& [known, count] : column.cells) {
        if (known == cap) return &count;
    }
    return nullptr;
}

using Block = std::vector<const RatedColumn*>;

// Columns of the same depth and scoring.
std::map<std::pair<Scoring, int>, Block> blocks_of(std::span<const RatedColumn> columns) {
    std::map<std::pair<Scoring, int>, Block> blocks;
    for (const RatedColumn& column : columns) {
        blocks[{column.config.scoring, column.config.depth}].push_back(&column);
    }
    return blocks;
}

std::string block_text(const Block& block) {
    std::set<int> caps;
    std::string text = fmt::format("{}, depth {}\nSF Elo", to_string(block[0]->config.scoring),
                                   block[0]->config.depth);
    for (const RatedColumn* column : block) {
        text += fmt::format("  {:>18}", fmt::format("W={}", column->config.width));
        for (const auto& [cap, count] : column->cells) caps.insert(cap);
    }
    text += "\n";
    for (const int cap : caps) {
        text += fmt::format("{:>6}", cap);
        for (const RatedColumn* column : block) {
            const ScoreCount* count = find_cell(*column, cap);
            text += fmt::format("  {:>18}", count ? cell_text(*count) : "--");
        }
        text += "\n";
    }
    return text + "\n";
}

// The paper's figure for a configuration: its tables rated the paper's way.
std::optional<double> published_elo(const PaperAudit& audit, PaperModel model,
                                    const PaperConfig& config) {
    for (const AuditedColumn& audited : audit.columns) {
        const PaperColumn& column = *audited.column;
        if (column.model == model && column.scoring == config.scoring &&
            column.depth == config.depth && column.width == config.width) {
            return audited.elo;
        }
    }
    return std::nullopt;
}

std::string published_text(const PaperAudit& audit, PaperModel model, const PaperConfig& config) {
    const auto elo = published_elo(audit, model, config);
    return elo ? fmt::format("{:.0f}", *elo) : "--";
}

std::string slope_text(const RatedColumn& column) {
    if (column.fit.empty()) return fmt::format("{:>14}  {:>7}", "--", "--");
    const LadderFit& fit = column.fit[0];
    return fmt::format("{:>6.1f} +-{:>5.1f}  {:>7.1f}", fit.slope, fit.slope_error,
                       fit.expected_slope);
}

std::uint64_t games_of(const RatedColumn& column) {
    std::uint64_t games = 0;
    for (const auto& [cap, count] : column.cells) games += count.games();
    return games;
}

}  // namespace

Result<std::vector<RatedColumn>> rate_ladder(std::span<const LadderColumn> columns,
                                             std::span<const int> caps) {
    std::vector<RatedColumn> rated;
    for (const LadderColumn& column : columns) {
        if (column.games.empty()) continue;
        auto one = rate_column(column, caps);
        if (!one) return tl::unexpected(one.error());
        rated.push_back(std::move(*one));
    }
    return rated;
}

std::string ladder_text(std::span<const RatedColumn> columns) {
    std::string text = "SOLIS against Stockfish by cap: wins-draws-losses (points of 100)\n\n";
    for (const auto& [key, block] : blocks_of(columns)) text += block_text(block);
    text +=
        "Elo with the caps taken for ratings, +- 95 % from pairs; slope in points per 100 Elo.\n"
        "The paper's figures do not behave like Elo: see solis paper tables.\n\n";
    text += fmt::format("{:<18}  {:>13}  {:>5}  {:>8}  {:>14}  {:>7}  {:>10}  {:>10}\n", "player",
                        "Elo", "games", "distinct", "slope", "expects", "paper base", "paper mini");
    const auto audit = audit_paper();
    for (const RatedColumn& column : columns) {
        text += fmt::format("{:<18}  {:>6.0f} +-{:>4.0f}  {:>5}  {:>8}  {}  {:>10}  {:>10}\n",
                            column.config.name(), column.elo, half_width(column), games_of(column),
                            column.distinct_games, slope_text(column),
                            audit ? published_text(*audit, PaperModel::Base, column.config) : "--",
                            audit ? published_text(*audit, PaperModel::Mini, column.config) : "--");
    }
    for (const RatedColumn& column : columns) {
        for (const std::string& warning : column.warnings) text += "\nwarning: " + warning;
        if (column.distinct_games < games_of(column)) {
            text += fmt::format("\nwarning: {}: only {} of {} games are different",
                                column.config.name(), column.distinct_games, games_of(column));
        }
    }
    return text + "\n";
}

std::string ladder_json(std::span<const RatedColumn> columns) {
    Json list = Json::array();
    for (const RatedColumn& column : columns) {
        Json cells = Json::array();
        for (const auto& [cap, count] : column.cells) {
            cells.push_back({{"cap", cap},
                             {"wins", count.wins},
                             {"draws", count.draws},
                             {"losses", count.losses},
                             {"pairs", count.pairs}});
        }
        Json entry{{"depth", column.config.depth},
                   {"width", column.config.width},
                   {"scoring", to_string(column.config.scoring)},
                   {"elo", column.elo},
                   {"error_95", half_width(column)},
                   {"distinct_games", column.distinct_games},
                   {"cells", cells}};
        if (!column.fit.empty()) {
            entry["slope"] = column.fit[0].slope;
            entry["slope_error"] = column.fit[0].slope_error;
            entry["expected_slope"] = column.fit[0].expected_slope;
        }
        entry["warnings"] = column.warnings;
        list.push_back(std::move(entry));
    }
    return Json{{"ladder", list}}.dump();
}

std::string ladder_svg(std::span<const RatedColumn> columns) {
    const auto audit = audit_paper();
    std::vector<ChartPanel> panels;
    for (const Scoring scoring : {Scoring::Unanchored, Scoring::Anchored}) {
        std::map<int, ChartSeries> ours, published;
        std::set<double> depths;
        for (const RatedColumn& column : columns) {
            if (column.config.scoring != scoring) continue;
            const int width = column.config.width;
            const auto depth = static_cast<double>(column.config.depth);
            const double half = half_width(column);
            ChartSeries& line = ours[width];
            line.points.push_back({depth, column.elo, column.elo - half, column.elo + half});
            depths.insert(depth);
            const auto elo =
                audit ? published_elo(*audit, PaperModel::Mini, column.config) : std::nullopt;
            if (elo) published[width].points.push_back({depth, *elo});
        }
        if (ours.empty()) continue;
        ChartPanel panel{
            fmt::format("Elo by depth, {} (dashed: the paper's mini)", to_string(scoring)),
            {},
            {depths.begin(), depths.end()}};
        for (auto& [width, line] : ours) {
            line.name = fmt::format("W={}", width);
            line.color = chart_color(panel.series.size() / 2);
            line.banded = line.dotted_points = true;
            ChartSeries paper = published[width];
            paper.color = line.color;
            paper.dashed = true;
            panel.series.push_back(line);
            panel.series.push_back(paper);
        }
        panels.push_back(std::move(panel));
    }
    return chart_svg("SOLIS against Stockfish's caps", panels);
}

}  // namespace solis::lab
