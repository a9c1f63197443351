// A review as a page.
#include <string_view>

#include <fmt/format.h>

#include "solis/analysis/review/report.h"
#include "solis/base/text.h"
#include "solis/chess/fen.h"
#include "solis/chess/san.h"

namespace solis::analysis {
namespace {

constexpr std::string_view kPageStyle = R"css(
:root{color-scheme:light dark;--bg:#fbfaf7;--ink:#1c2330;--faint:#667085;--card:#fff;--rule:#e3e0d8}
@media(prefers-color-scheme:dark){:root{--bg:#14181f;--ink:#e6e9ef;--faint:#98a2b3;--card:#1c222c;--rule:#2d3542}}
body{font:15px/1.5 system-ui,sans-serif;background:var(--bg);color:var(--ink);max-width:900px;margin:24px auto;padding:0 16px}
h1{font-size:22px;margin:0}h2{font-size:17px;margin:28px 0 8px}.faint{color:var(--faint)}
.sides{display:flex;gap:12px;flex-wrap:wrap;margin:16px 0}.side{background:var(--card);border:1px solid var(--rule);border-radius:8px;padding:10px 16px;flex:1 1 220px}
.side b{font-size:22px}svg{max-width:100%;height:auto}.light svg,.dark svg{width:100%}.dark{display:none}
@media(prefers-color-scheme:dark){.dark{display:block}.light{display:none}}
.moment{display:flex;gap:16px;align-items:flex-start;background:var(--card);border:1px solid var(--rule);border-radius:8px;padding:12px;margin:10px 0;flex-wrap:wrap}
.moment p{flex:1 1 260px;margin:0}
table{border-collapse:collapse;width:100%}td,th{padding:2px 8px;text-align:right;border-bottom:1px solid var(--rule);font-variant-numeric:tabular-nums}
td:nth-child(2),th:nth-child(2),td:last-child,th:last-child{text-align:left}
.blunder{color:#c62f3b;font-weight:600}.mistake{color:#c9661c;font-weight:600}.inaccuracy{color:#a8871a;font-weight:600}
)css";

std::string_view piece_glyph(chess::Piece piece) {
    switch (type_of(piece)) {
        case chess::PieceType::King:
            return "\u265a\ufe0e";
        case chess::PieceType::Queen:
            return "\u265b\ufe0e";
        case chess::PieceType::Rook:
            return "\u265c\ufe0e";
        case chess::PieceType::Bishop:
            return "\u265d\ufe0e";
        case chess::PieceType::Knight:
            return "\u265e\ufe0e";
        default:
            return "\u265f\ufe0e";
    }
}

std::string arrow(chess::Move move, const char* color) {
    const auto x = [](chess::Square s) { return 26 * (chess::index(s) % 8) + 13; };
    const auto y = [](chess::Square s) { return 26 * (7 - chess::index(s) / 8) + 13; };
    return fmt::format(
        R"(<line x1="{}" y1="{}" x2="{}" y2="{}" stroke="{}" stroke-width="5" stroke-linecap="round" opacity="0.75"/>)"
        R"(<circle cx="{}" cy="{}" r="6" fill="{}" opacity="0.85"/>)",
        x(move.from()), y(move.from()), x(move.to()), y(move.to()), color, x(move.to()),
        y(move.to()), color);
}

// The position before a move, the move in red and the better one in green.
std::string board_svg(const ReviewedMove& move) {
    std::string svg =
        R"(<svg viewBox="0 0 208 208" width="208" height="208" role="img" aria-label="position before the move">)";
    for (int square = 0; square < 64; ++square) {
        const int x = 26 * (square % 8), y = 26 * (7 - square / 8);
        const bool dark = (square / 8 + square % 8) % 2 == 0;
        svg += fmt::format(R"(<rect x="{}" y="{}" width="26" height="26" fill="{}"/>)", x, y,
                           dark ? "#8fa58f" : "#e9e6d3");
        const chess::Piece piece = move.before.piece_on(chess::square_at(square));
        if (piece == chess::Piece::None) continue;
        const bool white = color_of(piece) == chess::Color::White;
        svg += fmt::format(
            R"(<text x="{}" y="{}" font-size="23" text-anchor="middle" fill="{}" stroke="{}" stroke-width="{}">{}</text>)",
            x + 13, y + 21, white ? "#fff" : "#111", white ? "#222" : "#eee", white ? 0.7 : 0.25,
            piece_glyph(piece));
    }
    if (!move.best.empty() && move.best.front() != move.move) {
        svg += arrow(move.best.front(), "#2e8b57");
    }
    return svg + arrow(move.move, "#c62f3b") + "</svg>";
}

std::string side_card(const GameReview& review, chess::Color side) {
    const SideSummary summary = review.summary(side);
    const bool white = side == chess::Color::White;
    const auto name = review.game().tag(white ? "White" : "Black");
    return fmt::format(
        R"(<div class="side"><div>{} {}</div><div><b>{:.1f}</b> accuracy</div><div class="faint">inaccuracies {}, mistakes {}, blunders {}, of {} moves</div></div>)",
        white ? "\u25cb" : "\u25cf", escape_xml(name.value_or(white ? "White" : "Black")),
        summary.accuracy, summary.inaccuracies, summary.mistakes, summary.blunders, summary.moves);
}

// The first moves of the line that the analysis would have played.
std::string seen_line(const ReviewedMove& move) {
    std::vector<chess::Move> line(move.best);
    if (line.size() > 6) line.resize(6);
    return san_line(move.before, line);
}

std::string moments_html(const GameReview& review) {
    std::string html;
    for (const KeyPoint& point : review.key_points(12)) {
        const ReviewedMove& move = review.moves()[point.ply - 1];
        html +=
            fmt::format(R"(<div class="moment">{}<p>{}<br><span class="faint">{}</span></p></div>)",
                        board_svg(move), escape_xml(point.text), escape_xml(seen_line(move)));
    }
    return html.empty() ? "<p>No move cost a tenth of the win probability or more.</p>" : html;
}

std::string moves_table(const GameReview& review) {
    std::string html =
        "<table><tr><th>White wins</th><th>move</th><th>verdict</th><th>cost</th><th>line that was "
        "seen</th></tr>";
    for (const ReviewedMove& move : review.moves()) {
        html += fmt::format(
            R"(<tr><td>{:.1f} %</td><td class="{}">{}</td><td>{}</td><td>{}</td><td class="faint">{}</td></tr>)",
            100 * move.p, name_of(move.judgement), escape_xml(numbered_move(move)),
            move.verdict ? move.verdict->text() : "",
            move.loss >= 0.005 ? fmt::format("{:.1f} %", 100 * move.loss) : "",
            escape_xml(seen_line(move)));
    }
    return html + "</table>";
}

std::string title_of(const chess::PgnGame& game) {
    return fmt::format("{} \u2013 {}, {}", game.tag("White").value_or("White"),
                       game.tag("Black").value_or("Black"), chess::to_string(game.result()));
}

std::string subtitle_of(const chess::PgnGame& game) {
    std::string text;
    for (const char* tag : {"Event", "Site", "Round", "Date"}) {
        const auto value = game.tag(tag);
        if (!value || *value == "?" || *value == "????.??.??") continue;
        text += fmt::format("{}{}", text.empty() ? "" : ", ", *value);
    }
    return text;
}

}  // namespace

std::string review_html(const GameReview& review, const std::string& model) {
    const std::string title = escape_xml(title_of(review.game()));
    return fmt::format(
        "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" "
        "content=\"width=device-width,initial-scale=1\"><title>{}</title><style>{}</style></head>"
        "<body><h1>{}</h1><p class=\"faint\">{}</p><div class=\"sides\">{}{}</div>"
        "<div class=\"light\">{}</div><div class=\"dark\">{}</div><h2>Key moments</h2>{}"
        "<h2>All moves</h2>{}<p class=\"faint\">Reviewed by SOLIS, model {}. Win probabilities are "
        "White's.</p></body></html>\n",
        title, kPageStyle, title, escape_xml(subtitle_of(review.game())),
        side_card(review, chess::Color::White), side_card(review, chess::Color::Black),
        review_svg(review, ReportTheme::Light), review_svg(review, ReportTheme::Dark),
        moments_html(review), moves_table(review), escape_xml(model));
}

}  // namespace solis::analysis
