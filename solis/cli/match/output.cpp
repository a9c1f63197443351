// Writing what was asked for.
#include "solis/cli/match/output.h"

#include <algorithm>

#include <fmt/format.h>

#include "solis/base/file.h"
#include "solis/lab/match/match_pgn.h"

namespace solis::cli {

void add_output_flags(Command& command, MatchOutput& output) {
    command.add_option("--pgn", output.pgn, "write the games here at the end");
    command.add_option("--html", output.html, "write a report with plots here at the end");
    command.add_option("--report", output.report, "write the JSON report here at the end");
    add_force_flag(command, output.existing);
    add_json_flag(command, output.json);
}

Result<void> check_outputs(const MatchOutput& output) {
    for (const std::string& path : {output.pgn, output.html, output.report}) {
        if (auto ok = check_output(path, output.existing); !ok) return ok;
    }
    return {};
}

ExitCode publish(const MatchOutput& output, lab::MatchReport& report, Console& console) {
    std::sort(report.games.begin(), report.games.end(),
              [](const auto& a, const auto& b) { return a.number < b.number; });
    const auto write = [&](const std::string& path, const std::string& text) {
        if (path.empty()) return true;
        const auto written = write_file_atomically(path, text, output.existing);
        if (!written) (void)console.error(written.error());
        return written.has_value();
    };
    std::string pgn;
    if (!output.pgn.empty()) {
        for (const lab::GameRecord& game : report.games) lab::append_pgn(pgn, game, {});
    }
    const std::string json = lab::to_json(report) + "\n";
    bool ok = write(output.pgn, pgn);
    if (!output.html.empty()) ok = write(output.html, lab::to_html(report)) && ok;
    ok = write(output.report, json) && ok;
    const lab::Standings standings = lab::standings_of(report);
    if (output.json) {
        console.print("{}", json);
    } else {
        console.print("{}\n{}", lab::score_table(standings), lab::detail_table(standings));
    }
    return ok ? ExitCode::Ok : ExitCode::Failed;
}

}  // namespace solis::cli
