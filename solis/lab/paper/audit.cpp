// What the paper's own tables say when they are taken seriously.
#include "solis/lab/paper/audit.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace solis::lab {
namespace {

Tally tally_of(const PaperCell& cell) {
    return {{static_cast<double>(cell.losses), static_cast<double>(cell.draws),
             static_cast<double>(cell.wins)}};
}

std::string cap_name(int cap) { return fmt::format("stockfish {}", cap); }

void add_column(ResultTable& table, const PaperColumn& column) {
    const std::size_t solis = table.player(name_of(column));
    for (const PaperCell& cell : column.cells) {
        if (cell.cap == 0) continue;
        table.add_uncoloured(solis, table.player(cap_name(cell.cap)), tally_of(cell));
    }
}

Result<AuditedColumn> audit_column(const PaperColumn& column) {
    ResultTable table;
    add_column(table, column);
    RatingOptions options;
    options.model.advantage = 0;  // the tables do not tell colours
    AuditedColumn audited;
    audited.column = &column;
    double cells = 0;
    for (const PaperCell& cell : column.cells) {
        if (cell.cap == 0) continue;
        options.anchors.push_back(
            {table.player(cap_name(cell.cap)), static_cast<double>(cell.cap)});
        audited.mean_cap += cell.cap;
        cells += 1;
    }
    audited.mean_cap /= cells;
    const auto ratings = rate(table, options);
    if (!ratings) return tl::unexpected(ratings.error());
    audited.elo = ratings->elo[0];
    audited.error = ratings->standard_error(0, ErrorSource::Model);
    audited.score = table.total_of(0).points() / table.total_of(0).games();
    audited.fit = check_fit(table, *ratings).ladders.at(0);
    return audited;
}

// Rates all distinct columns together, nothing anchored.
Result<void> rate_together(PaperAudit& audit) {
    ResultTable table;
    for (const PaperColumn& column : paper_columns()) {
        if (!is_repeated(column)) add_column(table, column);
    }
    RatingOptions options;
    options.model.advantage = 0;
    const auto ratings = rate(table, options);
    if (!ratings) return tl::unexpected(ratings.error());
    std::vector<double> caps, configurations;
    for (std::size_t i = 0; i < table.names().size(); ++i) {
        const bool is_cap = table.names()[i].starts_with("stockfish");
        (is_cap ? caps : configurations).push_back(ratings->elo[i]);
    }
    const auto span = [](const std::vector<double>& elo) {
        const auto [low, high] = std::minmax_element(elo.begin(), elo.end());
        return *high - *low;
    };
    audit.free_span = span(caps);
    audit.solis_span = span(configurations);
    return {};
}

void add_to_sums(PaperAudit& audit, const AuditedColumn& column) {
    ++audit.distinct_columns;
    audit.distinct_cells += column.fit.opponents;
    audit.mean_slope += column.fit.slope;
    audit.mean_expected_slope += column.fit.expected_slope;
    audit.as_rated.value += column.fit.as_rated.value;
    audit.as_rated.df += column.fit.as_rated.df;
    audit.constant.value += column.fit.constant.value;
    audit.constant.df += column.fit.constant.df;
}

}  // namespace

std::string name_of(const PaperColumn& column) {
    return fmt::format("{} {} S={} W={}", to_string(column.model), to_string(column.scoring),
                       column.depth, column.width);
}

bool is_repeated(const PaperColumn& column) {
    const auto same_cell = [](const PaperCell& a, const PaperCell& b) {
        return a.cap == b.cap && a.wins == b.wins && a.draws == b.draws && a.losses == b.losses;
    };
    for (const PaperColumn& earlier : paper_columns()) {
        if (&earlier == &column) return false;
        if (std::equal(column.cells.begin(), column.cells.end(), earlier.cells.begin(),
                       same_cell)) {
            return true;
        }
    }
    return false;
}

Result<PaperAudit> audit_paper() {
    PaperAudit audit;
    audit.lowest_cap = 1e9;
    for (const PaperColumn& column : paper_columns()) {
        const auto audited = audit_column(column);
        if (!audited) return tl::unexpected(audited.error());
        audit.columns.push_back(*audited);
        if (!is_repeated(column)) add_to_sums(audit, *audited);
        for (const PaperCell& cell : column.cells) {
            if (cell.cap == 0) continue;
            audit.lowest_cap = std::min(audit.lowest_cap, static_cast<double>(cell.cap));
            audit.highest_cap = std::max(audit.highest_cap, static_cast<double>(cell.cap));
        }
    }
    audit.mean_slope /= static_cast<double>(audit.distinct_columns);
    audit.mean_expected_slope /= static_cast<double>(audit.distinct_columns);
    if (const auto ok = rate_together(audit); !ok) return tl::unexpected(ok.error());
    return audit;
}

}  // namespace solis::lab
