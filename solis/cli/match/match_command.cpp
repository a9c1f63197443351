// solis match: engines play each other; the outcome with error bars.
#include <memory>

#include "solis/cli/commands.h"
#include "solis/cli/match/options.h"
#include "solis/cli/match/output.h"
#include "solis/lab/match/session.h"

namespace solis::cli {
namespace {

struct MatchCommand {
    MatchFlags flags;
    MatchOutput output;
    lab::SessionOptions session;
    std::string sprt;
};

Result<std::optional<lab::SprtTest>> read_sprt(const std::string& text,
                                               const lab::MatchSetup& setup) {
    if (text.empty()) return std::optional<lab::SprtTest>();
    const auto test = lab::parse_sprt(text);
    if (!test) return fail_in("--sprt", test.error());
    if (setup.players.size() != 2 || setup.ranks.size != 1) {
        return fail("--sprt decides between two engines in one process");
    }
    return std::optional(*test);
}

// Without engines: what a log says.
ExitCode report_log(const MatchCommand& command, Console& console) {
    auto report = lab::read_match(command.session.log);
    if (!report) return console.error(report.error());
    return publish(command.output, *report, console);
}

ExitCode conclude(const MatchCommand& command, const lab::SessionEnd& end, lab::MatchReport& report,
                  Console& console) {
    MatchOutput output = command.output;
    const bool may_continue = end.match.broken_by || end.match.interrupted;
    // The same command continues and writes the files at the end; until then the log holds all.
    if (!command.session.log.empty() && may_continue &&
        end.decision == lab::SprtDecision::Continue) {
        output.pgn = output.html = output.report = {};
    }
    const ExitCode published = publish(output, report, console);
    if (end.match.broken_by) {
        return console.error({"the match ended with " + *end.match.broken_by,
                              "--recover starts the engine again; the same command continues"});
    }
    if (end.decision != lab::SprtDecision::Continue) {
        console.note("SPRT ended the match: {}", to_string(end.decision));
        return published;
    }
    if (end.match.interrupted) {
        console.note("interrupted{}",
                     command.session.log.empty() ? "" : "; the same command continues");
        return ExitCode::Interrupted;
    }
    return published;
}

ExitCode run_match_command(const MatchCommand& command, Console& console) {
    if (auto ok = check_outputs(command.output); !ok) return console.error(ok.error());
    if (command.flags.engines.empty()) {
        if (!command.session.log.empty()) return report_log(command, console);
        return console.error({"a match needs two engines",
                              "for example --engine solis --engine stockfish --each tc=10+0.1; "
                              "--log alone reports on a match"},
                             ExitCode::Usage);
    }
    const auto prepared = prepare_match(command.flags);
    if (!prepared) return console.error(prepared.error());
    lab::SessionOptions options = command.session;
    const auto sprt = read_sprt(command.sprt, prepared->setup);
    if (!sprt) return console.error(sprt.error(), ExitCode::Usage);
    options.sprt = *sprt;
    InterruptWatch interrupt;
    lab::MatchSession session(std::move(options), prepared->setup, prepared->identity, console);
    const auto end = session.run(interrupt);
    if (!end) return console.error(end.error());
    if (!prepared->setup.ranks.leads()) {
        return end->match.interrupted ? ExitCode::Interrupted : ExitCode::Ok;
    }
    return conclude(command, *end, session.report(), console);
}

}  // namespace

void add_match(Command& parent, Session& session) {
    const auto options = std::make_shared<MatchCommand>();
    Command* command = parent.add_subcommand(
        "match", "engines play each other: Elo with error bars; continues an interrupted match");
    add_match_flags(*command, options->flags);
    command->add_option("--log", options->session.log,
                        "every finished game; the same command continues it. Without --engine: "
                        "report on it");
    command->add_option("--sprt", options->sprt,
                        "stop when a hypothesis is accepted: elo0=0,elo1=5,alpha=0.05,beta=0.05,"
                        "model=normalised (or logistic); --games is then the most");
    command
        ->add_option("--table-every", options->session.table_every,
                     "games between tables on stderr; 0: none")
        ->capture_default_str();
    add_output_flags(*command, options->output);
    command->callback(
        [options, &session] { session.exit_code = run_match_command(*options, session.console); });
}

}  // namespace solis::cli
