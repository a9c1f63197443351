// solis suite: how many problems with known answers engines solve.
#include <algorithm>
#include <memory>
#include <thread>

#include <fmt/format.h>

#include "solis/base/byte_source.h"
#include "solis/base/interrupt.h"
#include "solis/base/progress.h"
#include "solis/cli/commands.h"
#include "solis/cli/own_program.h"
#include "solis/lab/suite/suite_report.h"

namespace solis::cli {
namespace {

struct SuiteCommand {
    std::string file;
    std::vector<std::string> engines;
    std::string each;
    int processes = 0;
    std::uint64_t limit = 0;
    bool attempts = false;
    bool json = false;
};

struct SuiteScore {
    lab::SuiteReport report;
    std::vector<lab::Attempt> attempts;
};

Result<std::vector<lab::PlayerSpec>> read_players(const SuiteCommand& command) {
    const auto defaults = lab::parse_player_defaults(command.each);
    if (!defaults) return fail_in("--each", defaults.error());
    std::vector<lab::PlayerSpec> players;
    for (const std::string& text : command.engines) {
        auto player = lab::parse_player(text, *defaults);
        if (!player) return tl::unexpected(player.error());
        players.push_back(std::move(*player));
    }
    return players;
}

Result<SuiteScore> measure(const SuiteCommand& command, const lab::Suite& suite,
                           const lab::PlayerSpec& player, InterruptWatch& interrupt,
                           Console& console) {
    const auto engine = lab::to_engine(player, own_program());
    if (!engine) return tl::unexpected(engine.error());
    lab::SolveOptions options;
    options.processes = command.processes > 0
                            ? command.processes
                            : std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
    Progress progress(console, player.name, suite.problems.size(), "problems");
    lab::SolveHooks hooks;
    hooks.progress = [&](std::size_t done) { progress.update(done); };
    hooks.interrupted = [&] { return interrupt.requested(); };
    auto attempts = lab::solve_all(suite, player, *engine, options, hooks);
    progress.clear();
    if (!attempts) return tl::unexpected(attempts.error());
    return SuiteScore{lab::make_report(suite, player, *attempts), std::move(*attempts)};
}

void warn_of_faults(const SuiteScore& measured, Console& console) {
    const auto& attempts = measured.attempts;
    const auto first = std::find_if(attempts.begin(), attempts.end(),
                                    [](const auto& attempt) { return !attempt.fault.empty(); });
    if (first == attempts.end()) return;
    console.warn(fmt::format("{} failed on {} problems, first: {}", measured.report.engine,
                             measured.report.faults, first->fault));
}

void tell_how_far(const SuiteScore& measured, const lab::Suite& suite, Console& console) {
    console.note("interrupted: {} answered {} of {} problems, and the figures are of these",
                 measured.report.engine, measured.report.total.problems, suite.problems.size());
}

ExitCode run_suite(const SuiteCommand& command, Console& console) {
    const auto players = read_players(command);
    if (!players) return console.error(players.error());
    auto source = open_input(command.file);
    if (!source) return console.error(source.error());
    const auto suite = lab::read_suite(command.file, std::move(*source), command.limit);
    if (!suite) return console.error(suite.error());
    for (const std::string& text : suite->report.first_errors) console.warn(text);
    InterruptWatch interrupt;
    std::vector<lab::SuiteReport> reports;
    for (const lab::PlayerSpec& player : *players) {
        const auto measured = measure(command, *suite, player, interrupt, console);
        if (!measured) return console.error(measured.error());
        warn_of_faults(*measured, console);
        const bool interrupted = interrupt.requested();
        if (interrupted) tell_how_far(*measured, *suite, console);
        reports.push_back(measured->report);
        if (command.json) {
            const auto& attempts = measured->attempts;
            console.print("{}\n",
                          lab::to_json(reports.back(), *suite,
                                       command.attempts ? attempts : std::vector<lab::Attempt>()));
        }
        if (!interrupted) continue;
        // Engines before this one have solved all problems, which cannot be shown side by side.
        if (!command.json && reports.size() > 1) {
            console.print("{}\n", lab::suite_table(std::span(reports).first(reports.size() - 1)));
        }
        if (!command.json) console.print("{}", lab::suite_table(std::span(reports).last(1)));
        return ExitCode::Interrupted;
    }
    if (!command.json) console.print("{}", lab::suite_table(reports));
    return ExitCode::Ok;
}

}  // namespace

void add_suite(Command& parent, Session& session) {
    const auto options = std::make_shared<SuiteCommand>();
    Command* command = parent.add_subcommand(
        "suite", "how many problems with known answers engines solve (EPD, Lichess puzzles)");
    command->add_option("file", options->file, "EPD with bm, am, dm or points, or puzzles as CSV")
        ->required();
    command
        ->add_option("--engine", options->engines,
                     "as in 'solis match', with st, nodes or depth; once per engine")
        ->required();
    command->add_option("--each", options->each, "what is the same for all engines");
    command
        ->add_option("--processes", options->processes, "engines at once (default: one per core)")
        ->range(1, 1024);
    command->add_option("--limit", options->limit, "use only so many problems");
    command->add_flag("--attempts", options->attempts, "with --json: every single answer, too");
    add_json_flag(*command, options->json);
    command->callback(
        [options, &session] { session.exit_code = run_suite(*options, session.console); });
}

}  // namespace solis::cli
