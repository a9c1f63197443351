// The figures of the report that are drawn here: Elo over depth, the overview, boards.
#include <array>
#include <map>
#include <set>

#include <fmt/format.h>

#include "solis/base/chart_svg.h"
#include "solis/base/text.h"
#include "solis/lab/paper/report_parts.h"
#include "solis/lab/rating/distributions.h"

namespace solis::lab {
namespace {

constexpr std::array kWidths{1, 2, 3, 5};

ChartSeries printed_line(const PaperAudit& audit, PaperModel model, Scoring scoring, int width) {
    ChartSeries line;
    line.dashed = true;
    for (const AuditedColumn& audited : audit.columns) {
        const PaperColumn& column = *audited.column;
        if (column.model != model || column.scoring != scoring || column.width != width) continue;
        line.points.push_back({static_cast<double>(column.depth), audited.elo, 0, 0});
    }
    return line;
}

ChartSeries measured_line(std::span<const RatedColumn> columns, Scoring scoring, int width) {
    ChartSeries line;
    line.banded = line.dotted_points = true;
    for (const RatedColumn& column : columns) {
        if (column.config.scoring != scoring || column.config.width != width) continue;
        const double half = interval_width(0.95) * column.error;
        line.points.push_back({static_cast<double>(column.config.depth), column.elo,
                               column.elo - half, column.elo + half});
    }
    return line;
}

// A box of the overview with one or two lines of text.
std::string box(double x, double y, double width, const char* first, const std::string& second) {
    return fmt::format(
        "<rect x=\"{0}\" y=\"{1}\" width=\"{2}\" height=\"58\" rx=\"7\" class=\"box\"/>"
        "<text x=\"{3}\" y=\"{4}\" text-anchor=\"middle\" font-weight=\"bold\">{5}</text>"
        "<text x=\"{3}\" y=\"{6}\" text-anchor=\"middle\" class=\"small\">{7}</text>\n",
        x, y, width, x + width / 2, y + 25, first, y + 44, escape_xml(second));
}

std::string arrow_to(double x1, double y1, double x2, double y2) {
    return fmt::format(
        "<line x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\" class=\"arrow\" "
        "marker-end=\"url(#head)\"/>\n",
        x1, y1, x2, y2);
}

std::string board_cells(const chess::Position& position, chess::Move move) {
    static constexpr std::string_view kGlyphs[] = {"♟", "♞", "♝", "♜", "♛", "♚"};
    std::string html = "<div class=\"board\">";
    for (int row = 7; row >= 0; --row) {
        for (int file = 0; file < 8; ++file) {
            const chess::Square square = chess::square_at(8 * row + file);
            const chess::Piece piece = position.piece_on(square);
            const bool marked = !move.is_none() && (move.from() == square || move.to() == square);
            std::string glyph;
            if (piece != chess::Piece::None) {
                const auto type = static_cast<std::size_t>(type_of(piece));
                const bool white = color_of(piece) == chess::Color::White;
                glyph =
                    fmt::format("<i class=\"{}\">{}\ufe0e</i>", white ? "w" : "b", kGlyphs[type]);
            }
            html += fmt::format("<span class=\"{}{}\">{}</span>", (row + file) % 2 == 0 ? "d" : "l",
                                marked ? " m" : "", glyph);
        }
    }
    return html + "</div>";
}

}  // namespace

std::string elo_figure(std::span<const RatedColumn> columns, Scoring scoring) {
    const auto audit = audit_paper();
    std::vector<ChartPanel> panels;
    for (const PaperModel model : {PaperModel::Base, PaperModel::Mini}) {
        ChartPanel panel{fmt::format("Elo by depth; dashed: printed, {}",
                                     model == PaperModel::Base ? "Base" : "Mini"),
                         {},
                         {2, 3, 4, 5}};
        for (std::size_t i = 0; i < kWidths.size(); ++i) {
            ChartSeries ours = measured_line(columns, scoring, kWidths[i]);
            ChartSeries printed;
            if (audit) printed = printed_line(*audit, model, scoring, kWidths[i]);
            ours.color = printed.color = chart_color(i);
            printed.name = fmt::format("W={}", kWidths[i]);
            if (!printed.points.empty()) panel.series.push_back(std::move(printed));
            if (!ours.points.empty()) panel.series.push_back(std::move(ours));
        }
        panels.push_back(std::move(panel));
    }
    return chart_svg(
        fmt::format("Elo with Stockfish's caps taken for ratings, {} (solid: measured)",
                    to_string(scoring)),
        panels);
}

std::string overview_svg(std::size_t legal_moves, std::span<const ReportCandidate> candidates) {
    std::string svg =
        "<svg class=\"overview\" viewBox=\"0 0 960 300\" font-family=\"sans-serif\" "
        "font-size=\"14\"><defs><marker id=\"head\" viewBox=\"0 0 10 10\" refX=\"9\" refY=\"5\" "
        "markerWidth=\"7\" markerHeight=\"7\" orient=\"auto\"><path d=\"M0 0L10 5L0 10z\" "
        "class=\"tip\"/></marker></defs>\n";
    svg += box(10, 30, 150, "Board", "the start position");
    svg += box(205, 30, 160, "Legal moves", fmt::format("{} children", legal_moves));
    svg += box(410, 30, 160, "Encoder", "a unit vector z for each");
    svg += box(615, 30, 150, "Projection", "score = <z, a>");
    svg += box(810, 30, 140, "Top W", "W = 3");
    for (const double x : {160.0, 365.0, 570.0, 765.0}) svg += arrow_to(x, 59, x + 44, 59);
    std::string list;
    for (std::size_t i = 0; i < std::min<std::size_t>(3, candidates.size()); ++i) {
        list += fmt::format("{}{} {:+.3f}", i == 0 ? "" : ",  ", candidates[i].san,
                            candidates[i].score);
    }
    svg += box(620, 140, 330, "The three that are kept", list);
    svg += arrow_to(880, 88, 880, 139);
    svg += box(330, 140, 230, "S levels deep?", "no: each is a board again");
    svg += arrow_to(620, 169, 562, 169);
    svg +=
        "<path d=\"M330 169H85V90\" class=\"arrow\" fill=\"none\" "
        "marker-end=\"url(#head)\"/>\n";
    svg += "<text x=\"95\" y=\"160\" class=\"small\">recursive search, White maximises</text>\n";
    svg += box(330, 236, 230, "Play the first move", "of the best line");
    svg += arrow_to(445, 198, 445, 235) + "<text x=\"455\" y=\"221\" class=\"small\">yes</text>";
    return svg + "</svg>\n";
}

std::string game_row(const ReportGame& game) {
    return fmt::format(
        "<figure class=\"game\"><div class=\"moves\">{}</div>{}<figcaption><b>{}</b> "
        "{}</figcaption></figure>\n",
        escape_xml(game.moves), board_cells(game.critical, game.played), escape_xml(game.title),
        escape_xml(game.caption));
}

}  // namespace solis::lab
