// The graph of a review.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "solis/analysis/review/report.h"

namespace solis::analysis {
namespace {

constexpr double kGraphWidth = 860, kGraphHeight = 250, kGraphLeft = 44, kGraphRight = 12;
constexpr double kGraphTop = 34, kGraphBottom = 30;

struct GraphColors {
    const char* background;
    const char* ink;
    const char* faint;
    const char* white_area;
    const char* black_area;
    const char* line;
};

constexpr GraphColors kLight{"#ffffff", "#1c2330", "#8a93a3", "#f3efe6", "#454c58", "#b5651d"};
constexpr GraphColors kDark{"#14181f", "#e6e9ef", "#7d8797", "#cfc8ba", "#2a303b", "#e39a4c"};

struct Graph {
    std::size_t plies;

    [[nodiscard]] double x(std::size_t ply) const {
        const double share = plies == 0 ? 0 : static_cast<double>(ply) / static_cast<double>(plies);
        return kGraphLeft + share * (kGraphWidth - kGraphLeft - kGraphRight);
    }
    [[nodiscard]] static double y(double p) {
        return kGraphTop + (1 - p) * (kGraphHeight - kGraphTop - kGraphBottom);
    }
};

const char* mark_color(Judgement judgement) {
    switch (judgement) {
        case Judgement::Blunder:
            return "#c62f3b";
        case Judgement::Mistake:
            return "#d9772b";
        default:
            return "#c9a227";
    }
}

std::string scale_lines(const Graph& graph, const GraphColors& colors) {
    std::string svg;
    for (const int percent : {0, 25, 50, 75, 100}) {
        const double y = Graph::y(percent / 100.0);
        svg += fmt::format(
            R"(<line x1="{:.1f}" y1="{:.1f}" x2="{:.1f}" y2="{:.1f}" stroke="{}" stroke-width="{}" opacity="0.5"/>)"
            R"(<text x="{:.1f}" y="{:.1f}" text-anchor="end" fill="{}" font-size="11">{} %</text>)",
            kGraphLeft, y, kGraphWidth - kGraphRight, y, colors.faint, percent == 50 ? 1.2 : 0.5,
            kGraphLeft - 6, y + 4, colors.faint, percent);
    }
    const std::size_t step = graph.plies <= 60 ? 10 : graph.plies <= 160 ? 20 : 40;
    for (std::size_t ply = step; ply <= graph.plies; ply += step) {
        svg += fmt::format(
            R"(<text x="{:.1f}" y="{:.1f}" text-anchor="middle" fill="{}" font-size="11">{}</text>)",
            graph.x(ply), kGraphHeight - 10, colors.faint, ply / 2);
    }
    return svg;
}

}  // namespace

std::string review_svg(const GameReview& review, ReportTheme theme) {
    const GraphColors& colors = theme == ReportTheme::Light ? kLight : kDark;
    const auto& moves = review.moves();
    const Graph graph{std::max<std::size_t>(moves.size(), 1)};
    std::string line = fmt::format("M{:.1f} {:.1f}", graph.x(0), Graph::y(review.p_start()));
    std::string marks;
    for (const ReviewedMove& move : moves) {
        line += fmt::format("L{:.1f} {:.1f}", graph.x(move.ply), Graph::y(move.p));
        if (move.judgement == Judgement::Fine) continue;
        marks += fmt::format(
            R"(<circle cx="{:.1f}" cy="{:.1f}" r="4.5" fill="{}" stroke="{}" stroke-width="1.2"><title>{}</title></circle>)",
            graph.x(move.ply), Graph::y(move.p), mark_color(move.judgement), colors.background,
            describe(move));
    }
    const std::string area =
        fmt::format("{}L{:.1f} {:.1f}L{:.1f} {:.1f}Z", line, graph.x(moves.size()), Graph::y(0),
                    graph.x(0), Graph::y(0));
    return fmt::format(
        R"(<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {} {}" width="{}" height="{}" )"
        R"(font-family="system-ui, sans-serif" role="img" aria-label="White's win probability over the game">)"
        R"(<rect width="100%" height="100%" fill="{}"/>)"
        R"(<text x="{}" y="20" fill="{}" font-size="13" font-weight="600">White's win probability</text>)"
        R"(<rect x="{:.1f}" y="{:.1f}" width="{:.1f}" height="{:.1f}" fill="{}"/>)"
        R"(<path d="{}" fill="{}"/>{}<path d="{}" fill="none" stroke="{}" stroke-width="1.8" stroke-linejoin="round"/>{}</svg>)",
        kGraphWidth, kGraphHeight, kGraphWidth, kGraphHeight, colors.background, kGraphLeft,
        colors.ink, kGraphLeft, Graph::y(1), kGraphWidth - kGraphLeft - kGraphRight,
        Graph::y(0) - Graph::y(1), colors.black_area, area, colors.white_area,
        scale_lines(graph, colors), line, colors.line, marks);
}

}  // namespace solis::analysis
