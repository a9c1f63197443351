// The tables of the report.
#include <map>
#include <set>

#include <fmt/format.h>

#include "solis/base/text.h"
#include "solis/lab/paper/report_parts.h"
#include "solis/lab/rating/distributions.h"

namespace solis::lab {
namespace {

std::string table_row(std::initializer_list<std::string> cells, std::string_view kind = "") {
    std::string html = kind.empty() ? "<tr>" : fmt::format("<tr class=\"{}\">", kind);
    for (const std::string& cell : cells) html += "<td>" + cell + "</td>";
    return html + "</tr>\n";
}

std::string heading_row(std::initializer_list<std::string> cells) {
    std::string html = "<tr>";
    for (const std::string& cell : cells) html += "<th>" + cell + "</th>";
    return html + "</tr>\n";
}

std::string both(const std::string& ours, const std::string& printed) {
    return fmt::format("<span class=\"ours\">{}</span><span class=\"printed\">{}</span>", ours,
                       printed);
}

// The larger of two in bold, as the paper does.
std::string points_cell(double points, double other) {
    const std::string text = fmt::format("{:g}", points);
    return points > other ? "<b>" + text + "</b>" : text;
}

const DepthMatch* match_of(std::span<const DepthMatch> matches, int depth, Scoring scoring) {
    for (const DepthMatch& match : matches) {
        if (match.config.depth == depth && match.config.scoring == scoring &&
            match.config.width == 3) {
            return &match;
        }
    }
    return nullptr;
}

// Points as if 200 games had been played, so that they stand beside the printed ones.
std::pair<std::string, std::string> measured_points(const DepthMatch* match) {
    if (match == nullptr || match->score.games() == 0) return {"–", "–"};
    const double share = match->score.points() / static_cast<double>(match->score.games());
    return {points_cell(std::round(2000 * share) / 10, 200 - std::round(2000 * share) / 10),
            points_cell(200 - std::round(2000 * share) / 10, std::round(2000 * share) / 10)};
}

std::string games_note(std::span<const DepthMatch> matches) {
    std::string note;
    for (const DepthMatch& match : matches) {
        note += fmt::format("{}{}: {} wins, {} draws, {} losses in {} games ({} different)",
                            note.empty() ? "" : "; ", match.config.name(), match.score.wins,
                            match.score.draws, match.score.losses, match.score.games(),
                            match.distinct_games);
    }
    return note.empty() ? "" : "<p class=\"note\">" + escape_xml(note) + ".</p>";
}

std::string cell_of(const PaperCell& cell) {
    return fmt::format("{}–{}–{} ({:g})", cell.wins, cell.draws, cell.losses,
                       cell.wins + 0.5 * cell.draws);
}

std::string cell_of(const ScoreCount& count) {
    return fmt::format("{}–{}–{} ({:.0f})", count.wins, count.draws, count.losses,
                       100 * count.points() / static_cast<double>(count.games()));
}

// What stands in one block of the appendix: by cap, then by width, ours and the paper's.
using BlockCells = std::map<int, std::map<int, std::pair<std::string, std::string>>>;

BlockCells block_cells(PaperModel model, Scoring scoring, int depth,
                       std::span<const RatedColumn> ours) {
    BlockCells cells;
    for (const PaperColumn& column : paper_columns()) {
        if (column.model != model || column.scoring != scoring || column.depth != depth) continue;
        for (const PaperCell& cell : column.cells) {
            if (cell.cap != 0) cells[cell.cap][column.width].second = cell_of(cell);
        }
    }
    for (const RatedColumn& column : ours) {
        if (column.config.scoring != scoring || column.config.depth != depth) continue;
        for (const auto& [cap, count] : column.cells) {
            if (count.games() > 0) cells[cap][column.config.width].first = cell_of(count);
        }
    }
    return cells;
}

std::string ladder_block(int depth, const BlockCells& cells) {
    std::set<int> widths;
    for (const auto& [cap, row] : cells) {
        for (const auto& [width, cell] : row) widths.insert(width);
    }
    std::string html = fmt::format("<table><caption>Depth {}</caption><tr><th>SF Elo</th>", depth);
    for (const int width : widths) html += fmt::format("<th>W = {}</th>", width);
    html += "</tr>\n";
    for (const auto& [cap, row] : cells) {
        html += fmt::format("<tr><td>{}</td>", cap);
        for (const int width : widths) {
            const auto cell = row.find(width);
            html += "<td>" +
                    (cell == row.end() ? "" : both(cell->second.first, cell->second.second)) +
                    "</td>";
        }
        html += "</tr>\n";
    }
    return html + "</table>\n";
}

std::string printed_rating(const PaperAudit& audit, PaperModel model, const PaperConfig& config) {
    for (const AuditedColumn& audited : audit.columns) {
        const PaperColumn& column = *audited.column;
        if (column.model != model || column.scoring != config.scoring ||
            column.depth != config.depth || column.width != config.width) {
            continue;
        }
        return fmt::format("{:.0f} ± {:.0f}", audited.elo, interval_width(0.95) * audited.error);
    }
    return "–";
}

}  // namespace

std::string models_table(std::span<const ReportModel> ours) {
    std::string html = "<table>" + heading_row({"Model", "Layers", "Embedding dim. D", "Heads",
                                                "MLP size", "Params"});
    html += table_row({"SOLIS Mini (printed)", "6", "128", "8", "256", "0.8M"}, "printed");
    html += table_row({"SOLIS Base (printed)", "6", "1024", "16", "1024", "41M"}, "printed");
    for (const ReportModel& model : ours) {
        html += table_row({escape_xml(model.name), model.layers, model.dims, model.heads, model.mlp,
                           model.parameters},
                          "ours");
    }
    return html + "</table>\n";
}

std::string matches_table(std::span<const DepthMatch> matches) {
    std::string html =
        "<table><tr><th rowspan=\"2\">Config</th><th rowspan=\"2\">Depth</th><th "
        "colspan=\"2\">Direct similarity</th><th colspan=\"2\">Anchored projection</th></tr>" +
        heading_row({"SOLIS score", "Stockfish score", "SOLIS score", "Stockfish score"});
    for (const PaperMatch& match : paper_matches()) {
        html += table_row(
            {match.model == PaperModel::Base ? "Base (printed)" : "Mini (printed)",
             std::to_string(match.depth), points_cell(match.unanchored, 200 - match.unanchored),
             points_cell(200 - match.unanchored, match.unanchored),
             points_cell(match.anchored, 200 - match.anchored),
             points_cell(200 - match.anchored, match.anchored)},
            "printed");
    }
    std::set<int> depths;
    for (const DepthMatch& match : matches) depths.insert(match.config.depth);
    for (const int depth : depths) {
        const auto direct = measured_points(match_of(matches, depth, Scoring::Unanchored));
        const auto anchored = measured_points(match_of(matches, depth, Scoring::Anchored));
        html += table_row({"measured", std::to_string(depth), direct.first, direct.second,
                           anchored.first, anchored.second},
                          "ours");
    }
    return html + "</table>\n" + games_note(matches);
}

std::string nodes_table(std::span<const DepthMatch> matches) {
    std::string html = "<table>" + heading_row({"Depth", "SOLIS, at most N(S)", "SOLIS, embedded",
                                                "Stockfish, average", "Stockfish, most"});
    for (const PaperNodes& nodes : paper_nodes()) {
        html +=
            table_row({std::to_string(nodes.depth) + " (printed)", std::to_string(nodes.solis_most),
                       "not counted", std::to_string(nodes.stockfish_average),
                       std::to_string(nodes.stockfish_most)},
                      "printed");
        const DepthMatch* match = match_of(matches, nodes.depth, Scoring::Unanchored);
        if (match == nullptr) continue;
        html +=
            table_row({std::to_string(nodes.depth), std::to_string(beam_nodes(match->config)),
                       fmt::format("{:.0f}, most {}", match->solis.average(), match->solis.most),
                       fmt::format("{:.0f}", match->stockfish.average()),
                       std::to_string(match->stockfish.most)},
                      "ours");
    }
    return html + "</table>\n";
}

std::string settings_table(std::span<const ReportSetting> settings) {
    std::string html = "<table>" + heading_row({"Attribute", "Printed", "The model measured here"});
    for (const ReportSetting& setting : settings) {
        html += table_row({escape_xml(setting.name), escape_xml(setting.printed),
                           "<span class=\"ours\">" + escape_xml(setting.ours) + "</span>"});
    }
    return html + "</table>\n";
}

std::string ladder_tables(PaperModel model, Scoring scoring, std::span<const RatedColumn> ours) {
    std::string html = "<div class=\"blocks\">";
    for (int depth = 2; depth <= 5; ++depth) {
        html += ladder_block(depth, block_cells(model, scoring, depth, ours));
    }
    return html + "</div>\n";
}

std::string ratings_table(const PaperAudit& audit, std::span<const RatedColumn> ours) {
    std::string html = "<table>" + heading_row({"Configuration", "Elo, measured", "games",
                                                "different", "points per 100 Elo", "expected",
                                                "Base, printed", "Mini, printed"});
    for (const RatedColumn& column : ours) {
        std::uint64_t games = 0;
        for (const auto& [cap, count] : column.cells) games += count.games();
        const bool fitted = !column.fit.empty();
        html += table_row(
            {column.config.name(),
             fmt::format("<span class=\"ours\">{:.0f} ± {:.0f}</span>", column.elo,
                         interval_width(0.95) * column.error),
             std::to_string(games), std::to_string(column.distinct_games),
             fitted ? fmt::format("{:.1f} ± {:.1f}", column.fit[0].slope, column.fit[0].slope_error)
                    : "–",
             fitted ? fmt::format("{:.1f}", column.fit[0].expected_slope) : "–",
             printed_rating(audit, PaperModel::Base, column.config),
             printed_rating(audit, PaperModel::Mini, column.config)});
    }
    html += "</table>\n";
    std::set<std::string> warnings;
    for (const RatedColumn& column : ours) {
        warnings.insert(column.warnings.begin(), column.warnings.end());
    }
    for (const std::string& warning : warnings) {
        html += "<p class=\"warning\">" + escape_xml(warning) + "</p>\n";
    }
    return html;
}

}  // namespace solis::lab
