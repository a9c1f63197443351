// The page around the tables and figures, with what must be said about them.
#include <fmt/format.h>

#include "solis/base/text.h"
#include "solis/lab/paper/report_parts.h"

namespace solis::lab {
namespace {

constexpr std::string_view kStyle = R"css(
:root{color-scheme:light dark;--ink:#1d2428;--faint:#68757c;--paper:#fff;--line:#d5dbdf;--ours:#0b5fa5;
--oursbg:#e8f1fa;--warn:#7a4b00;--warnbg:#fdf3dc;--boxbg:#f3f6f8}
@media(prefers-color-scheme:dark){:root{--ink:#e3e8eb;--faint:#98a5ac;--paper:#14191c;--line:#37424a;
--ours:#7fbcf5;--oursbg:#172c3e;--warn:#f2c76b;--warnbg:#33290f;--boxbg:#1d262b}}
body{font:16px/1.5 system-ui,sans-serif;color:var(--ink);background:var(--paper);max-width:66rem;margin:2rem auto;
padding:0 1rem}h1{font-size:1.7rem}h2{font-size:1.2rem;margin-top:2.6rem;border-bottom:1px solid var(--line)}
table{border-collapse:collapse;margin:.8rem 0;font-size:.88rem;font-variant-numeric:tabular-nums}
caption{text-align:left;font-weight:600;padding:.3rem 0}th,td{padding:.25rem .6rem;border-bottom:1px solid var(--line);
text-align:left;vertical-align:top}tr.printed td,.printed{color:var(--faint)}tr.ours td{background:var(--oursbg)}
.ours{color:var(--ours);font-weight:600}td span{display:block;white-space:nowrap}tr.ours td{font-weight:600}
.warning{border-left:4px solid var(--warn);background:var(--warnbg);padding:.5rem .8rem;margin:.5rem 0}
.note,.legend{color:var(--faint);font-size:.9rem}.scroll,.blocks{overflow-x:auto}
.blocks{display:flex;flex-wrap:wrap;gap:0 2rem}img,figure>svg{max-width:100%;height:auto;border-radius:6px}
figure{margin:1rem 0}figcaption{font-size:.92rem;margin-top:.4rem}code,pre{font:.86rem ui-monospace,monospace}
pre{background:var(--boxbg);padding:.7rem;overflow-x:auto}.overview{width:100%}.overview text{fill:var(--ink)}
.overview .small{font-size:12px;fill:var(--faint)}.box{fill:var(--boxbg);stroke:var(--line)}
.arrow{stroke:var(--ours);stroke-width:1.6}.tip{fill:var(--ours)}
.game{display:grid;grid-template-columns:1fr 200px;gap:.4rem 1.2rem;border:1px solid var(--line);padding:.8rem}
.game figcaption{grid-column:1/3}.moves{font:.8rem/1.5 ui-monospace,monospace}
.board{display:grid;grid-template-columns:repeat(8,25px);grid-auto-rows:25px;width:200px}
.board span{display:block;text-align:center;font-size:20px;line-height:25px}.board .l{background:#e9e6d3}
.board .d{background:#8fae98}.board .m{box-shadow:inset 0 0 0 3px #c2185b}.board i{font-style:normal}
.board .w{color:#fff;-webkit-text-stroke:.8px #222}.board .b{color:#111}
@media(max-width:40rem){.game{grid-template-columns:1fr}.game figcaption{grid-column:1}}
)css";

std::string section(std::string_view title, std::string_view body) {
    return fmt::format("<h2>{}</h2>\n{}", escape_xml(title), body);
}

std::string warning_box(std::string_view text) {
    return fmt::format("<p class=\"warning\">{}</p>\n", escape_xml(text));
}

std::string figure_box(std::string_view picture, std::string_view caption) {
    return fmt::format("<figure>{}<figcaption>{}</figcaption></figure>\n", picture,
                       escape_xml(caption));
}

std::string ladder_warnings_of(const PaperAudit& audit) {
    return warning_box(fmt::format(
               "The printed match tables do not behave like Elo. Within a column the score changes "
               "by {:.1f} points of 100 per 100 Elo of the opponent, where the rating model "
               "expects "
               "{:.1f}; chi-square of \"the caps are ratings\" is {:.0f} on {:.0f} degrees of "
               "freedom, of \"one score per column\" {:.0f} on {:.0f}. With the caps left free, "
               "{:.0f} "
               "to {:.0f} come out {:.0f} Elo apart, and all printed configurations within {:.0f}. "
               "The "
               "printed Elo repeat the caps that were chosen for each column.",
               audit.mean_slope, audit.mean_expected_slope, audit.as_rated.value, audit.as_rated.df,
               audit.constant.value, audit.constant.df, audit.lowest_cap, audit.highest_cap,
               audit.free_span, audit.solis_span)) +
           warning_box(
               "The text says that both models exceed 2500 Elo at depth 5; rated the same way, the "
               "printed tables of Mini end near 2350. Stockfish's UCI_Elo was calibrated at a "
               "longer "
               "time control than 50 ms.");
}

std::string scoring_warnings() {
    return warning_box(
               "The printed anchored tables of Base are the unanchored ones, cell for cell: the "
               "claim "
               "that anchoring gains 10 to 30 Elo has no data behind it.") +
           warning_box(
               "Both scorings differ by a constant, so they rank all moves alike and choose the "
               "same "
               "move wherever a draw has the score of p = 0.5 in both. Differences between them "
               "are "
               "noise, here and in the paper.");
}

std::string game_rows(std::span<const ReportGame> games) {
    std::string html;
    for (const ReportGame& game : games) html += game_row(game);
    return html.empty() ? "<p class=\"note\">No game has been played yet.</p>\n" : html;
}

// Tables 1 and the figures up to the overview.
std::string method_sections(const PaperReport& report) {
    return section("Table 1: model configurations",
                   models_table(report.models) +
                       "<p class=\"note\">By its printed configuration Base has 39.0 M parameters, "
                       "not 41 M.</p>\n") +
           section(
               "Figure 1: the embedding space",
               figure_box(report.map,
                          "UMAP of the embeddings, coloured by win probability: gold where White "
                          "wins, dark green where Black does. The arrow leads from the mean of "
                          "what Black wins to that of what White wins.")) +
           section("Figure 2: system overview",
                   figure_box(overview_svg(report.legal_moves, report.candidates),
                              "Candidate moves are embedded and scored by their alignment with the "
                              "advantage vector a; the numbers are those of the model measured "
                              "here."));
}

std::string ladder_sections(const PaperReport& report, const PaperAudit& audit) {
    return section(
               "Figure 3: Elo over width and depth, unanchored",
               figure_box(elo_figure(report.ladder, Scoring::Unanchored),
                          "Solid with a band of 95 %: measured here. Dashed: the printed tables, "
                          "rated in the same way.") +
                   ladder_warnings_of(audit) + "<div class=\"scroll\">" +
                   ratings_table(audit, report.ladder) + "</div>") +
           section(
               "Figure 4: Elo over width and depth, anchored",
               figure_box(elo_figure(report.ladder, Scoring::Anchored),
                          "As figure 3. Where nothing is solid, this run has not played it: the "
                          "moves are those of figure 3.") +
                   scoring_warnings());
}

std::string match_sections(const PaperReport& report) {
    return section("Table 2: match points at equal depth, W = 3",
                   "<p>Points of 200 games; measured ones are scaled to 200.</p>" +
                       matches_table(report.matches) +
                       warning_box(
                           "The printed games all began at the start position. Engines at a fixed "
                           "depth repeat themselves, so many of 200 such games are the same game. "
                           "Here every pair of games has an opening of its own, and the number of "
                           "different games is given.")) +
           section("Nodes searched",
                   nodes_table(report.matches) +
                       warning_box("N(S) counts the boards that are kept at most. Every child of "
                                   "an expanded board is embedded "
                                   "before the best three are kept: at depth 5 SOLIS evaluates "
                                   "more positions than "
                                   "Stockfish does, not fewer.")) +
           section(
               "Figure 5: games as paths",
               figure_box(report.paths,
                          "A game that White wins, a draw, and one that Black wins, over the map "
                          "of figure 1, with White's win probability below."));
}

std::string appendix_sections(const PaperReport& report) {
    const auto printed = [&](std::size_t first, std::size_t end) {
        const std::span<const ReportGame> games = report.printed_games;
        return games.size() < end ? games.subspan(0, 0) : games.subspan(first, end - first);
    };
    std::string html =
        section("Table 3: training", settings_table(report.settings)) +
        section("Games against Stockfish's caps (the paper's games A to E)",
                "<p class=\"note\">The board stands where the model measured here saw the largest "
                "change. In game C the plan did not see a repetition coming; here repetitions are "
                "part of the plan.</p>" +
                    game_rows(printed(0, 5)) + "<h3>Of this run</h3>\n" +
                    game_rows(report.ladder_games)) +
        section(
            "Games at equal depth (the paper's games F to I)",
            "<p class=\"note\">In game I mates of any length looked alike; here the nearer mate "
            "comes first.</p>" +
                game_rows(printed(5, 9)) + "<h3>Of this run</h3>\n" +
                game_rows(report.depth_games));
    for (const Scoring scoring : {Scoring::Unanchored, Scoring::Anchored}) {
        for (const PaperModel model : {PaperModel::Base, PaperModel::Mini}) {
            html += section(
                fmt::format("Appendix: {} against Stockfish, {}",
                            model == PaperModel::Base ? "Base" : "Mini", to_string(scoring)),
                "<p class=\"legend\">Wins–draws–losses (points of 100); <span "
                "class=\"ours\">measured</span>, then printed.</p>" +
                    ladder_tables(model, scoring, report.ladder));
        }
    }
    return html;
}

std::string command_list(std::span<const ReportCommand> commands) {
    std::string html;
    for (const ReportCommand& command : commands) {
        html += fmt::format("<p>{}</p><pre>{}</pre>\n", escape_xml(command.what),
                            escape_xml(command.command));
    }
    return section("The commands that made this", html);
}

}  // namespace

Result<std::string> report_html(const PaperReport& report) {
    const auto audit = audit_paper();
    if (!audit) return tl::unexpected(audit.error());
    std::string html = fmt::format(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" "
        "content=\"width=device-width\"><title>The paper, printed and measured</title>"
        "<style>{}</style></head><body>\n<h1>The paper, printed and measured</h1>\n",
        kStyle);
    html += fmt::format(
        "<p>Every table and figure of <i>Latent Planning via Embedding Arithmetic</i> (Hamara et "
        "al., 2025) in its order. <span class=\"ours\">Measured here</span> with {}; <span "
        "class=\"printed\">grey is printed there</span>. {}</p>\n",
        escape_xml(report.model), escape_xml(report.conditions));
    html += warning_box(
        "Printed and measured figures are of different models, of different sizes, trained on "
        "different data; \"50 ms per move\" limits Stockfish only, the plan of fixed depth and "
        "width "
        "has no clock. What follows compares methods, it is no race.");
    html += method_sections(report) + ladder_sections(report, *audit) + match_sections(report) +
            appendix_sections(report) + command_list(report.commands);
    return html + "</body></html>\n";
}

}  // namespace solis::lab
