// solis paper tables: the published results, rated as the paper did, and why that is no rating.
#include <memory>

#include <nlohmann/json.hpp>

#include "solis/cli/paper/paper_commands.h"
#include "solis/cli/rating/chi_square_json.h"
#include "solis/lab/paper/audit.h"
#include "solis/lab/rating/distributions.h"

namespace solis::cli {
namespace {

using Json = nlohmann::ordered_json;

struct TablesOptions {
    bool json = false;
};

std::vector<std::string> warnings_of(const lab::AuditedColumn& audited) {
    return lab::ladder_warnings(audited.fit, lab::name_of(*audited.column));
}

Json to_json(const lab::AuditedColumn& audited) {
    const lab::PaperColumn& column = *audited.column;
    return {{"model", to_string(column.model)},
            {"scoring", to_string(column.scoring)},
            {"depth", column.depth},
            {"width", column.width},
            {"elo", audited.elo},
            {"error", lab::interval_width(0.95) * audited.error},
            {"mean_cap", audited.mean_cap},
            {"score", audited.score},
            {"slope", audited.fit.slope},
            {"slope_error", audited.fit.slope_error},
            {"expected_slope", audited.fit.expected_slope},
            {"chi_square", chi_square_json(audited.fit.as_rated)},
            {"chi_square_constant", chi_square_json(audited.fit.constant)},
            {"warnings", warnings_of(audited)}};
}

void print_as_json(Console& console, const lab::PaperAudit& audit) {
    Json columns = Json::array();
    for (const lab::AuditedColumn& audited : audit.columns) columns.push_back(to_json(audited));
    print_json(console, {{"columns", columns},
                         {"distinct_columns", audit.distinct_columns},
                         {"distinct_cells", audit.distinct_cells},
                         {"mean_slope", audit.mean_slope},
                         {"mean_expected_slope", audit.mean_expected_slope},
                         {"chi_square", chi_square_json(audit.as_rated)},
                         {"chi_square_constant", chi_square_json(audit.constant)},
                         {"caps_span", audit.highest_cap - audit.lowest_cap},
                         {"caps_span_free", audit.free_span},
                         {"solis_span_free", audit.solis_span}});
}

void print_column(Console& console, const lab::AuditedColumn& audited) {
    const lab::PaperColumn& column = *audited.column;
    const lab::LadderFit& fit = audited.fit;
    console.print(
        "{:<6}{:<12}{}  {}  {:5.0f} +-{:3.0f}  {:5.0f}  {:5.1f}  {:6.1f} +-{:4.1f}  {:6.1f}"
        "  {:5.0f}  {:4.0f}   {}  {}\n",
        to_string(column.model), to_string(column.scoring), column.depth, column.width, audited.elo,
        lab::interval_width(0.95) * audited.error, audited.mean_cap, 100 * audited.score, fit.slope,
        fit.slope_error, fit.expected_slope, fit.as_rated.value, fit.constant.value,
        fit.as_rated.df, warnings_of(audited).empty() ? "" : "not Elo");
}

// The verdict is what the command is for, so it belongs to the data.
void print_verdict(Console& console, const lab::PaperAudit& audit) {
    console.print(
        "\nOver the {} distinct columns the score changes by {:.1f} points per 100 Elo of the "
        "opponent; the\nrating model expects {:.1f}. Chi-square of \"the caps are ratings\" is "
        "{:.0f} on {:.0f} degrees of freedom,\nof \"one score per column\" {:.0f} on {:.0f}. The "
        "opponents' ratings are not on a common scale: do not\nquote these Elo, they repeat the "
        "caps that were chosen.\n",
        audit.distinct_columns, audit.mean_slope, audit.mean_expected_slope, audit.as_rated.value,
        audit.as_rated.df, audit.constant.value, audit.constant.df);
    console.print(
        "With the caps' ratings left free, caps {:.0f} to {:.0f} come out {:.0f} Elo apart "
        "and all configurations\nwithin {:.0f}.\n",
        audit.lowest_cap, audit.highest_cap, audit.free_span, audit.solis_span);
    console.print(
        "The anchored results of base repeat the unanchored ones: they say nothing about "
        "anchoring.\n");
}

ExitCode run_tables(const TablesOptions& options, Console& console) {
    const auto audit = lab::audit_paper();
    if (!audit) return console.error(audit.error());
    if (options.json) {
        print_as_json(console, *audit);
        return ExitCode::Ok;
    }
    console.print(
        "Elo with Stockfish's caps taken for ratings, as the paper did; slope is points of "
        "100 games per 100 Elo.\n\n");
    console.print(
        "model scoring     S  W  Elo           caps  score  slope         expects  chi2  "
        "const  df\n");
    for (const lab::AuditedColumn& audited : audit->columns) print_column(console, audited);
    print_verdict(console, *audit);
    return ExitCode::Ok;
}

}  // namespace

void add_paper_tables(Command& parent, Session& session) {
    const auto options = std::make_shared<TablesOptions>();
    Command* command = parent.add_subcommand(
        "tables", "the published match results: Elo as the paper computed it, and what is wrong");
    add_json_flag(*command, options->json);
    command->callback(
        [options, &session] { session.exit_code = run_tables(*options, session.console); });
}

}  // namespace solis::cli
