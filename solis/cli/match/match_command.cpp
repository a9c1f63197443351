// solis match: engines play each other; the outcome with error bars.
#include <memory>

#include "solis/cli/commands.h"
#include "solis/cli/match/session.h"

namespace solis::cli {
namespace {

// Without engines: what a log says.
ExitCode report_log(const MatchCommand& command, Console& console) {
    auto report = read_match(command.log);
    if (!report) return console.error(report.error());
    return publish(command.output, *report, console);
}

ExitCode run_match_command(const MatchCommand& command, Console& console) {
    if (auto ok = check_outputs(command.output); !ok) return console.error(ok.error());
    if (command.flags.engines.empty()) {
        if (!command.log.empty()) return report_log(command, console);
        return console.error({"a match needs two engines",
                              "for example --engine solis --engine stockfish --each tc=10+0.1; "
                              "--log alone reports on a match"},
                             ExitCode::Usage);
    }
    const auto prepared = prepare_match(command.flags);
    if (!prepared) return console.error(prepared.error());
    return MatchSession(command, *prepared, console).run();
}

}  // namespace

void add_match(Command& parent, Session& session) {
    const auto options = std::make_shared<MatchCommand>();
    Command* command = parent.add_subcommand(
        "match", "engines play each other: Elo with error bars; continues an interrupted match");
    add_match_flags(*command, options->flags);
    command->add_option("--log", options->log,
                        "every finished game; the same command continues it. Without --engine: "
                        "report on it");
    command->add_option("--sprt", options->sprt,
                        "stop when a hypothesis is accepted: elo0=0,elo1=5,alpha=0.05,beta=0.05,"
                        "model=normalised (or logistic); --games is then the most");
    command
        ->add_option("--table-every", options->table_every,
                     "games between tables on stderr; 0: none")
        ->capture_default_str();
    add_output_flags(*command, options->output);
    command->callback(
        [options, &session] { session.exit_code = run_match_command(*options, session.console); });
}

}  // namespace solis::cli
