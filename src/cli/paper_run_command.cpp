// solis paper elo, depth and nodes: the paper's experiments, played.
#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>
#include <thread>

#include "base/file.h"
#include "base/interrupt.h"
#include "base/progress.h"
#include "cli/match_options.h"
#include "cli/paper_commands.h"
#include "lab/paper/depth_report.h"
#include "lab/paper/ladder_report.h"

namespace solis::cli {
namespace {

using Clock = std::chrono::steady_clock;

struct RunOptions {
    std::string folder;
    std::string stockfish = "stockfish";
    std::string weights;
    std::vector<int> depths;
    std::vector<int> widths;
    std::vector<std::string> scorings;
    std::vector<int> caps;
    int cap_step = 150;
    std::uint64_t games = 0;  // 0: the paper's number
    std::uint64_t seed = 1;
    int concurrency = 0;  // 0: one game per core
    double minutes = 0;   // 0: as long as it takes
    bool quick = false;
    bool json = false;
};

lab::ProtocolOptions protocol_of(const RunOptions& options, std::uint64_t papers_games) {
    lab::ProtocolOptions protocol;
    protocol.folder = options.folder;
    protocol.own_binary = own_binary();
    protocol.stockfish = options.stockfish;
    protocol.weights = options.weights;
    protocol.games = options.games > 0 ? options.games : papers_games;
    protocol.seed = options.seed;
    protocol.concurrency = options.concurrency > 0
                               ? options.concurrency
                               : std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
    return protocol;
}

std::vector<lab::PaperScoring> scorings_of(const RunOptions& options) {
    std::vector<lab::PaperScoring> scorings;
    for (const std::string& name : options.scorings) {
        scorings.push_back(name == "anchored" ? lab::PaperScoring::Anchored
                                              : lab::PaperScoring::Unanchored);
    }
    return scorings;
}

std::vector<lab::PaperConfig> configs_of(const RunOptions& options) {
    std::vector<lab::PaperConfig> configs;
    for (const lab::PaperScoring scoring : scorings_of(options)) {
        for (const int depth : options.depths) {
            for (const int width : options.widths) configs.push_back({depth, width, scoring});
        }
    }
    return configs;
}

// Plays matches one after the other; a limit on the time is shared fairly among those to come.
class Experiment {
  public:
    Experiment(const RunOptions& options, lab::ProtocolOptions protocol, Console& console)
        : protocol_(std::move(protocol)), console_(console) {
        if (options.minutes > 0) {
            end_ = Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                      std::chrono::duration<double>(60 * options.minutes));
        }
    }

    [[nodiscard]] bool interrupted() { return interrupt_.requested(); }

    // `left`: matches that are still to come, this one included.
    Result<std::vector<lab::GameRecord>> play(const lab::ProtocolMatch& match, std::size_t left) {
        const auto rounds = (protocol_.games + 1) / 2;
        const std::uint64_t planned = rounds * 2 * (match.players.size() - 1);
        Progress progress(console_, match.name, planned, "games");
        const auto until = deadline(left);
        lab::ProtocolHooks hooks;
        hooks.on_game = [&](const lab::GameRecord& game) {
            progress.update(std::min(planned, game.number + 1));
            if (!game.at_fault) return;
            progress.clear();
            console_.warn(fmt::format("{} game {}: {} ({})", match.name, game.number + 1,
                                      lab::name_of(game.ending), game.note));
        };
        hooks.going_on = [&] {
            return !interrupt_.requested() && (!until || Clock::now() < *until);
        };
        auto games = lab::play_protocol(match, protocol_, hooks);
        if (!games) return fail_in(match.name, games.error());
        if (games->games.size() < games->planned) {
            console_.note("{}: {} of {} games", match.name, games->games.size(), games->planned);
        }
        return std::move(games->games);
    }

  private:
    [[nodiscard]] std::optional<Clock::time_point> deadline(std::size_t left) const {
        if (!end_) return std::nullopt;
        const auto now = Clock::now();
        return now + (*end_ - now) / static_cast<Clock::rep>(left);
    }

    lab::ProtocolOptions protocol_;
    Console& console_;
    InterruptWatch interrupt_;
    std::optional<Clock::time_point> end_;
};

// Tables and plots beside the logs; the table, or JSON, on stdout.
ExitCode publish(const RunOptions& options, const std::string& name, const std::string& text,
                 const std::string& json, const std::string& svg, Console& console) {
    const std::filesystem::path folder = options.folder;
    for (const auto& [ending, content] :
         {std::pair{".txt", text}, {".json", json + "\n"}, {".svg", svg}}) {
        if (auto ok = write_file_atomically(folder / (name + ending), content); !ok) {
            return console.error(ok.error());
        }
    }
    console.print("{}", options.json ? json + "\n" : text);
    console.note("written to {0}/{1}.txt, .json and .svg", options.folder, name);
    return ExitCode::Ok;
}

Result<void> make_folder(const std::string& folder) {
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    if (error) return fail(fmt::format("cannot make the folder '{}': {}", folder, error.message()));
    return {};
}

Result<std::vector<int>> caps_of(const RunOptions& options, const lab::ProtocolOptions& protocol) {
    const auto range = lab::cap_range(protocol);
    if (!range) return tl::unexpected(range.error());
    if (options.caps.empty()) return lab::caps_in(*range, options.cap_step);
    for (const int cap : options.caps) {
        if (cap < range->low || cap > range->high) {
            return fail(fmt::format("cap {} is outside of what {} offers: {} to {}", cap,
                                    options.stockfish, range->low, range->high));
        }
    }
    return options.caps;
}

ExitCode run_elo(const RunOptions& options, Console& console) {
    const lab::ProtocolOptions protocol = protocol_of(options, 100);
    if (auto made = make_folder(options.folder); !made) return console.error(made.error());
    const auto caps = caps_of(options, protocol);
    if (!caps) return console.error(caps.error());
    Experiment experiment(options, protocol, console);
    const std::vector<lab::PaperConfig> configs = configs_of(options);
    std::vector<lab::LadderColumn> columns;
    for (std::size_t i = 0; i < configs.size() && !experiment.interrupted(); ++i) {
        lab::ProtocolMatch match{"elo-" + configs[i].name(),
                                 {lab::solis_player(configs[i], protocol)}};
        for (const int cap : *caps) match.players.push_back(lab::capped_stockfish(cap, protocol));
        auto games = experiment.play(match, configs.size() - i);
        if (!games) return console.error(games.error());
        columns.push_back({configs[i], std::move(*games)});
    }
    const auto rated = lab::rate_ladder(columns, *caps);
    if (!rated) return console.error(rated.error());
    const ExitCode code = publish(options, "elo", lab::ladder_text(*rated),
                                  lab::ladder_json(*rated), lab::ladder_svg(*rated), console);
    return experiment.interrupted() ? ExitCode::Interrupted : code;
}

// Both commands play the same matches: what one has played the other finds in the folder.
ExitCode run_depth(const RunOptions& options, bool nodes, Console& console) {
    const lab::ProtocolOptions protocol = protocol_of(options, 200);
    if (auto made = make_folder(options.folder); !made) return console.error(made.error());
    Experiment experiment(options, protocol, console);
    const std::vector<lab::PaperConfig> configs = configs_of(options);
    std::vector<lab::DepthMatch> matches;
    for (std::size_t i = 0; i < configs.size() && !experiment.interrupted(); ++i) {
        const lab::ProtocolMatch match{"depth-" + configs[i].name(),
                                       {lab::solis_player(configs[i], protocol),
                                        lab::stockfish_at_depth(configs[i].depth, protocol)}};
        const auto games = experiment.play(match, configs.size() - i);
        if (!games) return console.error(games.error());
        if (!games->empty()) matches.push_back(lab::count_match(configs[i], *games));
    }
    const std::string text = nodes ? lab::nodes_text(matches) : lab::depth_text(matches);
    const ExitCode code = publish(options, nodes ? "nodes" : "depth", text,
                                  lab::depth_json(matches), lab::depth_svg(matches), console);
    return experiment.interrupted() ? ExitCode::Interrupted : code;
}

// What finishes in ten minutes on two cores: corners of the grid, few games.
void settle_elo(RunOptions& options) {
    if (options.quick) {
        if (options.depths.empty()) options.depths = {2, 5};
        if (options.widths.empty()) options.widths = {1, 3};
        if (options.scorings.empty()) options.scorings = {"unanchored"};
        if (options.caps.empty()) options.caps = {1350, 1500, 1700, 1900};
        if (options.games == 0) options.games = 8;
        if (options.minutes == 0) options.minutes = 9.5;
    }
    if (options.depths.empty()) options.depths = {2, 3, 4, 5};
    if (options.widths.empty()) options.widths = {1, 2, 3, 5};
    if (options.scorings.empty()) options.scorings = {"unanchored", "anchored"};
}

void settle_depth(RunOptions& options) {
    if (options.quick) {
        if (options.scorings.empty()) options.scorings = {"unanchored"};
        if (options.games == 0) options.games = 40;
        if (options.minutes == 0) options.minutes = 9.5;
    }
    if (options.depths.empty()) options.depths = {3, 4, 5};
    if (options.widths.empty()) options.widths = {3};
    if (options.scorings.empty()) options.scorings = {"unanchored", "anchored"};
}

void check_values(const RunOptions& options) {
    for (const int depth : options.depths) {
        if (depth < 1 || depth > 12) usage_error("--depth", "depths are 1 to 12");
    }
    for (const int width : options.widths) {
        if (width < 1 || width > 256) usage_error("--width", "widths are 1 to 256");
    }
}

void add_run_options(Command& command, RunOptions& options, const char* papers_games) {
    command
        .add_option("folder", options.folder, "logs, tables and plots; the same folder continues")
        ->required();
    command.add_flag("--quick", options.quick, "a small part that ends within 10 minutes");
    command.add_option("--minutes", options.minutes, "stop after so long and report")
        ->range(0.01, 1e6);
    command
        .add_option("--depth", options.depths, "S, plies; may be repeated (default: the paper's)")
        ->one_at_a_time();
    command.add_option("--width", options.widths, "W; may be repeated (default: the paper's)")
        ->one_at_a_time();
    command.add_option("--scoring", options.scorings, "unanchored, anchored (default: both)")
        ->one_at_a_time()
        ->one_of({"unanchored", "anchored"});
    command
        .add_option("--games", options.games,
                    std::string("of each pairing (default: ") + papers_games + ")")
        ->range(1, 1e6);
    command.add_option("--model", options.weights, "model file (default: the embedded model)");
    command.add_option("--stockfish", options.stockfish, "the opponent's program")
        ->capture_default_str();
    command.add_option("--seed", options.seed, "of the order of openings")->capture_default_str();
    command
        .add_option("--concurrency", options.concurrency, "games at once (default: one per core)")
        ->range(1, 1024);
    add_json_flag(command, options.json);
}

void add_depth_command(Command& parent, Session& session, const char* name, const char* help,
                       bool nodes) {
    const auto options = std::make_shared<RunOptions>();
    Command* command = parent.add_subcommand(name, help);
    add_run_options(*command, *options, "200");
    command->parse_complete_callback([options] {
        settle_depth(*options);
        check_values(*options);
    });
    command->callback([options, nodes, &session] {
        session.exit_code = run_depth(*options, nodes, session.console);
    });
}

}  // namespace

void add_paper_elo(Command& parent, Session& session) {
    const auto options = std::make_shared<RunOptions>();
    Command* command = parent.add_subcommand(
        "elo", "the ladder: every depth, width and scoring against Stockfish's rating caps");
    add_run_options(*command, *options, "100");
    command
        ->add_option("--cap", options->caps,
                     "Stockfish's UCI_Elo; may be repeated (default: 1350 to its most)")
        ->one_at_a_time();
    command->add_option("--cap-step", options->cap_step, "between the default caps")
        ->range(10, 1000)
        ->capture_default_str();
    command->parse_complete_callback([options] {
        settle_elo(*options);
        check_values(*options);
    });
    command->callback(
        [options, &session] { session.exit_code = run_elo(*options, session.console); });
}

void add_paper_depth(Command& parent, Session& session) {
    add_depth_command(parent, session, "depth", "matches against Stockfish at equal depth", false);
}

void add_paper_nodes(Command& parent, Session& session) {
    add_depth_command(parent, session, "nodes", "nodes of both sides in the matches of depth",
                      true);
}

}  // namespace solis::cli
