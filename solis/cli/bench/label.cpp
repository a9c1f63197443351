// solis bench label: how much of the engine's own speed is left when it labels many positions.
// The headline is in CPU time, which other work on the machine disturbs less.
#include <chrono>
#include <memory>
#include <optional>
#include <thread>

#include <nlohmann/json.hpp>

#include "solis/base/cpu_time.h"
#include "solis/chess/fen.h"
#include "solis/cli/bench/benchmarks.h"
#include "solis/cli/bench/label_teacher.h"
#include "solis/cli/label/options.h"
#include "solis/lab/label/labeller.h"

namespace solis::cli {
namespace {

using Clock = std::chrono::steady_clock;
using Seconds = std::chrono::duration<double>;

struct BenchLabelOptions {
    LabelFlags flags;
    double seconds = 6;
    int rounds = 3;
    bool json = false;
};

constexpr std::chrono::milliseconds kLongSearchLimit{600'000};
constexpr std::uint64_t kLongSearchNodes = 500'000;
constexpr const char* kMiddleGame =
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10";

struct LabelRate {
    double seconds = 0;
    std::uint64_t nodes = 0;
    std::uint64_t searches = 0;
    double engine_cpu = 0;
    double own_cpu = 0;

    [[nodiscard]] double nodes_per_second() const { return static_cast<double>(nodes) / seconds; }
    [[nodiscard]] double searches_per_second() const {
        return static_cast<double>(searches) / seconds;
    }
};

// One long search per process, all at once: the engine with nothing in its way.
Result<void> measure_long_searches(const lab::LabelRun& run, LabelRate& total) {
    const auto position = chess::parse_fen(kMiddleGame);
    if (!position) return tl::unexpected(position.error());
    std::vector<engine::UciClient> clients;
    for (int i = 0; i < run.processes; ++i) {
        auto client = engine::UciClient::start(run.engine);
        if (!client) return tl::unexpected(client.error());
        clients.push_back(std::move(*client));
    }
    // Loading its net at the start is not part of the engine's speed.
    for (const engine::UciClient& client : clients) total.engine_cpu -= client.cpu_time().count();
    const Clock::time_point start = Clock::now();
    for (engine::UciClient& client : clients) {
        client.position(*position);
        client.go({.nodes = kLongSearchNodes});
        if (auto sent = client.flush(); !sent) return sent;
    }
    for (engine::UciClient& client : clients) {
        const auto report = client.wait_bestmove(kLongSearchLimit);
        if (!report) return tl::unexpected(report.error());
        total.nodes += report->nodes;
        ++total.searches;
        total.engine_cpu += client.cpu_time().count();
    }
    total.seconds += Seconds(Clock::now() - start).count();
    return {};
}

Result<void> measure_labelling(const BenchLabelOptions& options, const lab::LabelRun& run,
                               int round, LabelRate& total,
                               std::vector<data::LabelledGame>& games) {
    lab::SupplyOptions supply_options;
    supply_options.seed = Seed{options.flags.seed + static_cast<std::uint64_t>(round)};
    const auto supply =
        lab::make_self_play_supply(options.flags.play, options.flags.labels, supply_options);
    const double cpu_before = process_cpu_seconds();
    const Clock::time_point start = Clock::now();
    const Clock::time_point end =
        start + std::chrono::duration_cast<Clock::duration>(Seconds(options.seconds));
    lab::LabelHooks hooks;
    hooks.take = [&](const data::LabelledGame& game) {
        games.push_back(game);
        return true;
    };
    hooks.interrupted = [&] { return Clock::now() >= end; };
    const auto stats = lab::label_games(run, *supply, hooks);
    if (!stats) return tl::unexpected(stats.error());
    total.seconds += Seconds(Clock::now() - start).count();
    total.nodes += stats->searched.nodes;
    total.searches += stats->searched.searches;
    total.engine_cpu += stats->engine_cpu_seconds;
    total.own_cpu += process_cpu_seconds() - cpu_before;
    return {};
}

void report(const BenchLabelOptions& options, const PreparedRun& prepared, const LabelRate& peer,
            const LabelRate& ours, Console& console) {
    const double wall_ratio = ours.nodes_per_second() / peer.nodes_per_second();
    const double ratio = (static_cast<double>(ours.nodes) / (ours.engine_cpu + ours.own_cpu)) /
                         (static_cast<double>(peer.nodes) / peer.engine_cpu);
    const double own_share = ours.own_cpu / ours.engine_cpu;
    if (options.json) {
        print_json(console, {{"benchmark", "label"},
                             {"peer", prepared.engine_name},
                             {"processes", prepared.run.processes},
                             {"limit", describe_limits(options.flags.labels.limits)},
                             {"peer_nodes_per_second", peer.nodes_per_second()},
                             {"nodes_per_second", ours.nodes_per_second()},
                             {"positions_per_second", ours.searches_per_second()},
                             {"own_cpu_share", own_share},
                             {"wall_ratio", wall_ratio},
                             {"ratio", ratio}});
        return;
    }
    console.print("{}, {} processes, {} per position\n", prepared.engine_name,
                  prepared.run.processes, describe_limits(options.flags.labels.limits));
    console.print("one long search each   {:>10.0f} nodes/s\n", peer.nodes_per_second());
    console.print(
        "labelling              {:>10.0f} nodes/s, {:.0f} positions/s, {:.1f} nodes each\n",
        ours.nodes_per_second(), ours.searches_per_second(),
        static_cast<double>(ours.nodes) / static_cast<double>(ours.searches));
    console.print("our own CPU time       {:>10.1f} % of the engines'\n", 100 * own_share);
    console.print(
        "ratio {:.2f}  nodes per second of CPU time, ours included, to the long search's\n", ratio);
    console.print(
        "ratio {:.2f}  the same by the clock on the wall, of use on an idle machine only\n",
        wall_ratio);
}

// Labels of both per second of CPU time, that of this process included.
void report_teacher(const BenchLabelOptions& options, const PreparedRun& teacher,
                    const LabelRate& engine, const TeacherRate& taught, Console& console) {
    const double over_uci =
        static_cast<double>(engine.searches) / (engine.engine_cpu + engine.own_cpu);
    const double ratio = taught.labels_per_cpu_second() / over_uci;
    const double nodes = static_cast<double>(taught.nodes) / static_cast<double>(taught.labels);
    const std::string depth = describe_depth(options.flags, teacher.run);
    if (options.json) {
        print_json(console, {{"benchmark", "label teacher"},
                             {"teacher", teacher.engine_name},
                             {"depth", depth},
                             {"labels_per_cpu_second", taught.labels_per_cpu_second()},
                             {"nodes_per_label", nodes},
                             {"engine_labels_per_cpu_second", over_uci},
                             {"ratio", ratio}});
        return;
    }
    console.print("\n{}, {}, {} threads, the same games\n", teacher.engine_name, depth,
                  teacher.run.processes);
    console.print("engine over UCI        {:>10.0f} labels per CPU second\n", over_uci);
    console.print("teacher inside         {:>10.0f} labels per CPU second, {:.1f} nodes each\n",
                  taught.labels_per_cpu_second(), nodes);
    console.print("ratio {:.1f}  labels per CPU second, teacher to engine\n", ratio);
}

Result<std::optional<PreparedRun>> prepare_teacher(const BenchLabelOptions& options) {
    if (options.flags.teacher.empty()) return std::nullopt;
    auto prepared = prepare_teacher_run(options.flags, false);
    if (!prepared) return tl::unexpected(prepared.error());
    return std::optional(std::move(*prepared));
}

ExitCode run_bench_label(const BenchLabelOptions& options, Console& console) {
    const auto teacher = prepare_teacher(options);
    if (!teacher) return console.error(teacher.error());
    const auto prepared = prepare_label_run(options.flags, false);
    if (!prepared) return console.error(prepared.error());
    LabelRate peer, ours;
    TeacherRate taught;
    std::vector<data::LabelledGame> games;
    for (int round = 0; round < options.rounds; ++round) {
        if (auto done = measure_long_searches(prepared->run, peer); !done) {
            return console.error(done.error());
        }
        if (auto done = measure_labelling(options, prepared->run, round, ours, games); !done) {
            return console.error(done.error());
        }
        if (!*teacher) continue;
        if (auto done = measure_teacher((*teacher)->run, games, options.seconds, taught); !done) {
            return console.error(done.error());
        }
    }
    report(options, *prepared, peer, ours, console);
    if (*teacher) report_teacher(options, **teacher, ours, taught, console);
    return ExitCode::Ok;
}

}  // namespace

void add_bench_label(Command& parent, Session& session) {
    const auto options = std::make_shared<BenchLabelOptions>();
    Command* command =
        parent.add_subcommand("label", "labelling speed beside the engine's own nodes per second");
    command
        ->add_option("--seconds", options->seconds,
                     "of labelling per round, the start of the engines included")
        ->range(0.1, 3600.0)
        ->capture_default_str();
    command->add_option("--rounds", options->rounds, "long search and labelling by turns")
        ->range(1, 100)
        ->capture_default_str();
    options->flags.nodes = 120;  // nodes, so that engines can be compared
    add_label_flags(*command, options->flags);
    add_json_flag(*command, options->json);
    command->callback(
        [options, &session] { session.exit_code = run_bench_label(*options, session.console); });
}

}  // namespace solis::cli
