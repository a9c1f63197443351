// The report as a page with pictures.
#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "solis/base/text.h"
#include "solis/lab/match/match_report.h"

namespace solis::lab {
namespace {

constexpr double kWidth = 860, kLeft = 56, kRight = 16, kHeight = 260, kTop = 24, kBottom = 34;
constexpr std::array<const char*, 8> kColors{"#1f77b4", "#d62728", "#2ca02c", "#ff7f0e",
                                             "#9467bd", "#8c564b", "#e377c2", "#7f7f7f"};
// A curve of more points than pixels shows nothing more.
constexpr std::size_t kMostPoints = 800;

constexpr std::string_view kStyle =
    "body{font:15px/1.5 system-ui,sans-serif;max-width:900px;margin:2rem auto;padding:0 1rem;"
    "color:#222}table{border-collapse:collapse;margin:1rem 0}td,th{padding:.25rem .7rem;"
    "border-bottom:1px solid #ddd;text-align:right}td:first-child,th:first-child{text-align:left}"
    "svg{width:100%;height:auto}h2{margin-top:2rem}.note{color:#666}"
    "pre{white-space:pre-wrap;overflow-wrap:anywhere}";

const char* color_of(std::size_t i) { return kColors[i % kColors.size()]; }

std::string open_svg(double height) {
    return fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {} {}\" "
        "font-family=\"sans-serif\" "
        "font-size=\"12\">\n",
        kWidth, height);
}

std::string text_at(double x, double y, std::string_view text, const char* anchor,
                    const char* color = "#444") {
    return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\" fill=\"{}\">{}</text>\n",
                       x, y, anchor, color, escape_xml(text));
}

std::string line_from(double x1, double y1, double x2, double y2, const char* color) {
    return fmt::format(
        "<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" "
        "stroke=\"{}\"/>\n",
        x1, y1, x2, y2, color);
}

double plot_x(double share) { return kLeft + (kWidth - kLeft - kRight) * share; }
double plot_y(double score) { return kTop + (kHeight - kTop - kBottom) * (1 - score); }

struct CurvePoint {
    double games, score, error;
};

// Cumulative score of one player after each of its games, in the order of the schedule.
std::vector<CurvePoint> curve_of(const MatchReport& report, std::size_t player) {
    Standings standings(report.players, report.paired);
    std::vector<CurvePoint> points;
    const std::size_t step = report.games.size() / kMostPoints + 1;
    for (std::size_t i = 0; i < report.games.size(); ++i) {
        standings.add(report.games[i]);
        if (i % step != 0 && i + 1 != report.games.size()) continue;
        const auto value = estimate(standings.score(player));
        if (value) points.push_back({static_cast<double>(i + 1), value->score, value->error});
    }
    return points;
}

// Where a number of games stands; the only game of a match stands in the middle.
double curve_x(double games, double last) {
    return plot_x(last > 1 ? (games - 1) / (last - 1) : 0.5);
}

std::string curve_svg(const std::vector<CurvePoint>& points, double last, const char* color) {
    const auto y = [](double score) { return plot_y(std::clamp(score, 0.0, 1.0)); };
    if (points.size() == 1) {
        return fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"4\" fill=\"{}\"/>\n",
                           curve_x(points[0].games, last), y(points[0].score), color);
    }
    std::string line, upper, lower;
    for (const CurvePoint& point : points) {
        const double x = curve_x(point.games, last);
        line += fmt::format("{:.1f},{:.1f} ", x, y(point.score));
        upper += fmt::format("{:.1f},{:.1f} ", x, y(point.score + 1.96 * point.error));
        lower.insert(0, fmt::format("{:.1f},{:.1f} ", x, y(point.score - 1.96 * point.error)));
    }
    return fmt::format(
        "<polygon points=\"{0}{1}\" fill=\"{2}\" fill-opacity=\"0.12\"/>\n"
        "<polyline points=\"{3}\" fill=\"none\" stroke=\"{2}\" "
        "stroke-width=\"1.6\"/>\n",
        upper, lower, color, line);
}

std::string score_over_time(const MatchReport& report) {
    std::string svg = open_svg(kHeight);
    for (int i = 0; i <= 4; ++i) {
        const double score = i / 4.0;
        svg += line_from(kLeft, plot_y(score), kWidth - kRight, plot_y(score),
                         i == 2 ? "#999" : "#ddd");
        svg += text_at(kLeft - 6, plot_y(score) + 4, fmt::format("{} %", 25 * i), "end");
    }
    const auto last = static_cast<double>(std::max<std::size_t>(report.games.size(), 1));
    // Two players mirror each other, so one curve says all.
    const std::size_t curves = report.players.size() == 2 ? 1 : report.players.size();
    for (std::size_t i = 0; i < curves; ++i) {
        svg += curve_svg(curve_of(report, i), last, color_of(i));
        svg += text_at(kLeft + 8 + 130 * static_cast<double>(i), 14, report.players[i], "start",
                       color_of(i));
    }
    if (report.games.size() < 2) {
        return svg + text_at(plot_x(0.5), kHeight - 10, "game 1", "middle") + "</svg>\n";
    }
    svg +=
        text_at(kWidth - kRight, kHeight - 10, fmt::format("game {}", report.games.size()), "end");
    return svg + text_at(kLeft, kHeight - 10, "1", "start") + "</svg>\n";
}

// A bar of the share won, drawn and lost, with the 95 % interval of the score.
std::string bar(const ScoreCount& count, double y, const std::string& label) {
    const auto games = static_cast<double>(count.games());
    const auto value = estimate(count);
    if (!value) return {};
    constexpr double kFrom = 220, kTo = kWidth - 170, kThick = 18;
    const double scale = (kTo - kFrom) / games;
    std::string svg = text_at(kFrom - 8, y + 13, label, "end");
    double x = kFrom;
    const std::array<std::pair<std::uint64_t, const char*>, 3> parts{
        {{count.wins, "#7fbf7f"}, {count.draws, "#dddddd"}, {count.losses, "#e59a9a"}}};
    for (const auto& [number, color] : parts) {
        const double width = static_cast<double>(number) * scale;
        svg += fmt::format(
            "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{}\" "
            "fill=\"{}\"/>\n",
            x, y, width, kThick, color);
        x += width;
    }
    const auto at = [&](double score) {
        return kFrom + (kTo - kFrom) * std::clamp(score, 0.0, 1.0);
    };
    const double middle = y + kThick / 2;
    svg += line_from(at(value->score - 1.96 * value->error), middle,
                     at(value->score + 1.96 * value->error), middle, "#000");
    svg += line_from(at(value->score), y - 2, at(value->score), y + kThick + 2, "#000");
    return svg + text_at(kTo + 8, y + 13, elo_text(count), "start");
}

std::string bars(const Standings& standings) {
    std::string svg;
    double y = 8;
    for (std::size_t i = 0; i < standings.players().size(); ++i) {
        for (std::size_t j = i + 1; j < standings.players().size(); ++j) {
            if (standings.score(i, j).games() == 0) continue;
            svg += bar(standings.score(i, j), y,
                       standings.players()[i] + " : " + standings.players()[j]);
            y += 28;
        }
    }
    return open_svg(y + 4) + svg + "</svg>\n";
}

std::string row(const std::vector<std::string>& cells, const char* tag) {
    std::string html = "<tr>";
    for (const std::string& cell : cells)
        html += fmt::format("<{0}>{1}</{0}>", tag, escape_xml(cell));
    return html + "</tr>\n";
}

std::string score_rows(const Standings& standings) {
    std::string html = "<table>" + row({"engine", "games", "won", "drawn", "lost", "score",
                                        "Elo (95 %)", "LOS", "pairs 0 ½ 1 1½ 2", "faults"},
                                       "th");
    for (std::size_t i = 0; i < standings.players().size(); ++i) {
        const ScoreCount count = standings.score(i);
        const auto value = estimate(count).value_or(ScoreEstimate{});
        html += row(
            {standings.players()[i], std::to_string(count.games()), std::to_string(count.wins),
             std::to_string(count.draws), std::to_string(count.losses),
             fmt::format("{:.1f} %", 100 * value.score), elo_text(count),
             fmt::format("{:.0f} %", 100 * value.los),
             fmt::format("{}", fmt::join(count.pairs, " ")), std::to_string(standings.faults(i))},
            "td");
    }
    return html + "</table>\n";
}

std::string ending_rows(const Standings& standings) {
    std::string html = "<table>" + row({"ending", "games"}, "th");
    for (int i = 0; i < kEndings; ++i) {
        const auto ending = static_cast<Ending>(i);
        if (standings.endings(ending) == 0) continue;
        html +=
            row({std::string(name_of(ending)), std::to_string(standings.endings(ending))}, "td");
    }
    return html + "</table>\n";
}

std::string thinking_rows(const Standings& standings) {
    std::string html =
        "<table>" + row({"engine", "ms per move", "depth", "nodes per move", "mean lag ms"}, "th");
    for (std::size_t i = 0; i < standings.players().size(); ++i) {
        const ThinkingStats& stats = standings.thinking(i);
        const double moves = std::max(static_cast<double>(stats.moves), 1.0);
        html += row(
            {standings.players()[i], fmt::format("{:.1f}", 1000 * stats.seconds / moves),
             fmt::format("{:.1f}", stats.depth / moves), fmt::format("{:.0f}", stats.nodes / moves),
             fmt::format("{:.1f}", stats.lag_ms / moves)},
            "td");
    }
    return html + "</table>\n";
}

}  // namespace

std::string to_html(const MatchReport& report) {
    const Standings standings = standings_of(report);
    std::string html = fmt::format(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
        "<title>SOLIS match</title><style>{}</style></head><body>\n<h1>{}</h1>\n",
        kStyle, escape_xml(fmt::format("{}", fmt::join(report.players, " – "))));
    html += score_rows(standings);
    html += fmt::format(
        "<p class=\"note\">{} distinct games of {}. Elo is logistic, its 95 % "
        "interval from pairs of games.</p>\n",
        standings.distinct_games(), standings.games());
    html += "<h2>Score over the match</h2>\n" + score_over_time(report);
    html += "<h2>Pairings</h2>\n" + bars(standings);
    html += "<h2>Endings</h2>\n" + ending_rows(standings);
    html += "<h2>Thinking</h2>\n" + thinking_rows(standings);
    html += fmt::format("<h2>Conditions</h2>\n<pre>{}</pre>\n", escape_xml(report.identity));
    return html + "</body></html>\n";
}

}  // namespace solis::lab
