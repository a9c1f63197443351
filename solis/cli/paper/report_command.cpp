// solis paper figures and all: every table and figure of the paper on one page.
#include <filesystem>
#include <memory>

#include <fmt/format.h>

#include "solis/base/file.h"
#include "solis/base/folder_lock.h"
#include "solis/cli/paper/paper_commands.h"
#include "solis/cli/paper/play.h"
#include "solis/cli/paper/report_inputs.h"

namespace solis::cli {
namespace {

struct ReportOptions {
    std::string folder;
    std::string model;
    std::string stockfish = "stockfish";
    std::uint64_t nodes = 0;
    std::uint64_t seed = 1;
    std::uint64_t count = 20'000;
    double minutes = 0;
    int concurrency = 0;
    int threads = 0;
    bool quick = false;
};

// Quick and whole runs meet other opponents, so their games do not mix.
std::string games_folder(const ReportOptions& options) {
    return (std::filesystem::path(options.folder) / (options.quick ? "quick" : "full")).string();
}

PaperRunOptions run_options(const ReportOptions& options) {
    PaperRunOptions run;
    run.folder = games_folder(options);
    run.stockfish = options.stockfish;
    run.weights = options.model;
    run.nodes = options.nodes;
    run.seed = options.seed;
    run.concurrency = options.concurrency;
    return run;
}

// What ends in a quarter of an hour on two cores, the pictures included: all depths, two widths.
PaperRunOptions ladder_options(const ReportOptions& options) {
    PaperRunOptions run = run_options(options);
    run.minutes = options.minutes * 0.7;
    if (options.quick) {
        run.widths = {1, 3};
        run.scorings = {"unanchored"};
        run.caps = {1350, 1500, 1700, 1900};
        run.games = 8;
        if (options.minutes == 0) run.minutes = 9;
    }
    settle_elo(run);
    return run;
}

PaperRunOptions depth_options(const ReportOptions& options) {
    PaperRunOptions run = run_options(options);
    run.nodes = 0;
    run.minutes = options.minutes * 0.3;
    if (options.quick) {
        run.games = 40;
        if (options.minutes == 0) run.minutes = 4;
    }
    settle_depth(run);
    return run;
}

std::string words(const std::vector<int>& values, const char* option) {
    std::string text;
    for (const int value : values) text += fmt::format(" {} {}", option, value);
    return text;
}

// A run as the command that would play it alone.
std::string run_command(const char* name, const PaperRunOptions& run, std::uint64_t games) {
    std::string text = fmt::format("solis paper {} {}", name, run.folder) +
                       words(run.depths, "--depth") + words(run.widths, "--width");
    for (const std::string& scoring : run.scorings) text += " --scoring " + scoring;
    text += words(run.caps, "--cap") +
            fmt::format(" --games {} --seed {}", run.games > 0 ? run.games : games, run.seed);
    if (run.nodes > 0) text += fmt::format(" --nodes {}", run.nodes);
    if (!run.weights.empty()) text += " --model " + run.weights;
    return text;
}

std::vector<lab::ReportCommand> commands_of(const ReportOptions& options) {
    const std::string model = options.model.empty() ? "" : " --model " + options.model;
    const std::string nodes =
        options.nodes > 0 ? fmt::format(" --nodes {}", options.nodes) : std::string();
    const std::string rest = (options.quick ? " --quick" : "") + nodes + model;
    return {
        {"The whole page; the same command continues after an end at any time:",
         fmt::format("solis paper all {}{}", options.folder, rest)},
        {"The page again, from the games that are there:",
         fmt::format("solis paper figures {}{}", options.folder, rest)},
        {"Table 1:",
         "solis model info --preset mini\nsolis model info --preset base\nsolis model "
         "info" +
             (options.model.empty() ? "" : " " + options.model)},
        {"Figure 1:", fmt::format("solis map --count {} --out map.png", options.count) + model},
        {"Figure 5:", fmt::format("solis trace --count {} --out paths.png", options.count) + model},
        {"Figures 3 and 4, and the tables of the appendix:",
         run_command("elo", ladder_options(options), 100)},
        {"Table 2 and the nodes:", run_command("depth", depth_options(options), 200)},
        {"What the printed tables say themselves:", "solis paper tables"}};
}

std::string conditions_of(const ReportOptions& options) {
    std::string text =
        options.nodes > 0
            ? fmt::format(
                  "Capped Stockfish had {} nodes per move instead of 50 ms, which does not "
                  "depend on how busy the machine is.",
                  options.nodes)
            : "Capped Stockfish had 50 ms per move.";
    if (options.quick) {
        text += " This is a quick run with few games: its intervals are wide.";
    }
    return text;
}

Result<void> write_report(const ReportOptions& options, StageProgress& progress) {
    const auto model = analysis::SpaceModel::open(options.model);
    if (!model) return tl::unexpected(model.error());
    const auto played = read_played(games_folder(options));
    if (!played) return tl::unexpected(played.error());
    if (auto ok = check_model(*played, model->hash()); !ok) return ok;
    ThreadPool pool(static_cast<std::size_t>(options.threads));
    lab::PaperReport report;
    report.conditions = conditions_of(options);
    report.commands = commands_of(options);
    const std::filesystem::path folder = options.folder;
    if (auto ok = add_model(options.model, *model, report); !ok) return ok;
    if (auto ok = add_results(*played, *model, pool, report); !ok) return ok;
    if (auto ok = add_pictures(folder, options.count, *model, pool, progress.listener(), report);
        !ok) {
        return ok;
    }
    const std::string elo = lab::elo_figure(report.ladder, lab::Scoring::Unanchored);
    if (auto ok = write_file_atomically(folder / "elo.svg", elo); !ok) return ok;
    const auto html = lab::report_html(report);
    if (!html) return tl::unexpected(html.error());
    return write_file_atomically(folder / "report.html", *html);
}

Result<FolderLock> take_folder(const ReportOptions& options) {
    std::error_code error;
    std::filesystem::create_directories(options.folder, error);
    if (error) {
        return fail(
            fmt::format("cannot make the folder '{}': {}", options.folder, error.message()));
    }
    return FolderLock::take(options.folder, "making the page");
}

ExitCode make_page(const ReportOptions& options, Console& console) {
    StageProgress progress(console);
    if (auto ok = write_report(options, progress); !ok) return report_failure(console, ok.error());
    console.print("wrote {0}/report.html, and its pictures map, paths and elo.svg beside it\n",
                  options.folder);
    return ExitCode::Ok;
}

ExitCode run_figures(const ReportOptions& options, Console& console) {
    const auto lock = take_folder(options);
    if (!lock) return console.error(lock.error());
    return make_page(options, console);
}

ExitCode run_all(const ReportOptions& options, Console& console) {
    const auto lock = take_folder(options);
    if (!lock) return console.error(lock.error());
    // First, so that there is something to see; it is made again when all has been played.
    if (const ExitCode code = make_page(options, console); code != ExitCode::Ok) return code;
    const auto depths = play_depths(depth_options(options), console);
    if (!depths) return console.error(depths.error());
    if (depths->interrupted) return ExitCode::Interrupted;
    const auto ladder = play_ladder(ladder_options(options), console);
    if (!ladder) return console.error(ladder.error());
    if (ladder->interrupted) return ExitCode::Interrupted;
    return make_page(options, console);
}

void add_report_options(Command& command, ReportOptions& options) {
    command
        .add_option("folder", options.folder,
                    "games, pictures and report.html; the same folder continues")
        ->required();
    command.add_flag("--quick", options.quick, "a small part, in 15 minutes on two cores");
    command.add_option("--model", options.model, "model file (default: the embedded model)");
    command
        .add_option("--nodes", options.nodes,
                    "of capped Stockfish per move instead of 50 ms: the same on a busy machine")
        ->range(1, 1e9);
    command.add_option("--count", options.count, "positions on the map")
        ->range(100, 1'000'000)
        ->capture_default_str();
    add_threads_option(command, options.threads);
}

}  // namespace

void add_paper_figures(Command& parent, Session& session) {
    const auto options = std::make_shared<ReportOptions>();
    Command* command = parent.add_subcommand(
        "figures", "all tables and figures as one page, with the games played so far");
    add_report_options(*command, *options);
    command->callback(
        [options, &session] { session.exit_code = run_figures(*options, session.console); });
}

void add_paper_all(Command& parent, Session& session) {
    const auto options = std::make_shared<ReportOptions>();
    Command* command =
        parent.add_subcommand("all", "plays the paper's experiments and makes the page of figures");
    add_report_options(*command, *options);
    command->add_option("--minutes", options->minutes, "for the games; stop after so long")
        ->range(0.01, 1e6);
    command->add_option("--stockfish", options->stockfish, "the opponent's program")
        ->capture_default_str();
    command->add_option("--seed", options->seed, "of the order of openings")->capture_default_str();
    command
        ->add_option("--concurrency", options->concurrency, "games at once (default: one per core)")
        ->range(1, 1024);
    command->callback(
        [options, &session] { session.exit_code = run_all(*options, session.console); });
}

}  // namespace solis::cli
