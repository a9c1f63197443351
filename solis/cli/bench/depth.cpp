// solis bench depth: how deep a search gets with so many nodes, and by which factor the nodes grow
// with every ply (the effective branching factor), beside Stockfish on the same positions. With
// --threads also how much sooner the depth of the last row is reached by several threads.
#include <chrono>
#include <cmath>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "solis/cli/bench/benchmarks.h"
#include "solis/cli/own_program.h"
#include "solis/engine/client/find_engine.h"
#include "solis/engine/client/uci_client.h"
#include "solis/lab/match/openings.h"

namespace solis::cli {
namespace {

struct BenchDepthOptions {
    std::vector<int> nodes{5'000, 20'000, 80'000, 320'000};
    std::uint64_t positions = 20;
    int threads = 1;
    std::string model;
    std::uint64_t seed = 1;
    bool json = false;
};

// A search of fixed nodes or depth ends by itself; this is for an engine that does not answer.
constexpr std::chrono::minutes kPatience{10};
// Large enough for the most nodes that are asked for by default, and the same for both engines.
constexpr const char* kHashMegabytes = "64";

// Sums over the searches of one engine with one limit.
struct Searches {
    double depth = 0;
    double nodes = 0;
    double cpu_seconds = 0;
    double log_wall_seconds = 0;
    double count = 0;

    [[nodiscard]] double mean_depth() const { return depth / count; }
    [[nodiscard]] double mean_nodes() const { return nodes / count; }
    [[nodiscard]] double nodes_per_second() const {
        return cpu_seconds > 0 ? nodes / cpu_seconds : 0;
    }
    // Geometric, so that a ratio of two of them is the mean of the ratios.
    [[nodiscard]] double typical_wall_seconds() const { return std::exp(log_wall_seconds / count); }
};

// Searches every position with an empty memory.
Result<Searches> search_all(engine::UciClient& client, const std::vector<lab::Opening>& openings,
                            const planner::Limits& limits) {
    Searches sums;
    for (const lab::Opening& opening : openings) {
        if (auto ready = client.new_game(); !ready) return tl::unexpected(ready.error());
        const double cpu_before = client.cpu_time().count();
        const auto start = std::chrono::steady_clock::now();
        client.position(opening.start, opening.moves);
        client.go(limits);
        const auto report = client.wait_bestmove(kPatience);
        if (!report) return tl::unexpected(report.error());
        const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - start;
        sums.cpu_seconds += client.cpu_time().count() - cpu_before;
        sums.log_wall_seconds += std::log(wall.count());
        sums.depth += report->depth;
        sums.nodes += static_cast<double>(report->nodes);
        sums.count += 1;
    }
    return sums;
}

Result<engine::UciClient> start_solis(const BenchDepthOptions& options, int threads) {
    engine::EngineSpec spec{{own_program().binary, "uci"},
                            {{"Hash", kHashMegabytes}, {"Threads", std::to_string(threads)}},
                            {}};
    if (!options.model.empty()) spec.options.emplace_back("WeightsFile", options.model);
    return engine::UciClient::start(spec);
}

Result<engine::UciClient> start_stockfish() {
    const auto stockfish = engine::find_stockfish();
    if (!stockfish) return tl::unexpected(stockfish.error());
    return engine::UciClient::start({{*stockfish}, {{"Hash", kHashMegabytes}}, {}});
}

// By which factor the nodes of the last row are more than those of the first, for each ply deeper.
// None where the last row is no deeper, as with one row.
std::optional<double> branching(const std::vector<Searches>& rows) {
    const double plies = rows.back().mean_depth() - rows.front().mean_depth();
    if (plies <= 0) return std::nullopt;
    return std::pow(rows.back().mean_nodes() / rows.front().mean_nodes(), 1 / plies);
}

Result<std::vector<Searches>> measure_rows(Result<engine::UciClient> client,
                                           const BenchDepthOptions& options,
                                           const std::vector<lab::Opening>& openings) {
    if (!client) return tl::unexpected(client.error());
    std::vector<Searches> rows;
    for (const int nodes : options.nodes) {
        auto row = search_all(*client, openings, {.nodes = static_cast<std::uint64_t>(nodes)});
        if (!row) return tl::unexpected(row.error());
        rows.push_back(*row);
    }
    return rows;
}

struct ThreadGain {
    int depth = 0;
    double ratio = 0;  // time on the wall with one thread to that with several
};

// Time on the wall to the depth that the last row reached on average, one thread and several.
Result<ThreadGain> measure_threads(const BenchDepthOptions& options, double reached,
                                   const std::vector<lab::Opening>& openings) {
    const ThreadGain none{.depth = std::max(1, static_cast<int>(reached))};
    std::vector<double> seconds;
    for (const int threads : {1, options.threads}) {
        auto client = start_solis(options, threads);
        if (!client) return tl::unexpected(client.error());
        const auto searches = search_all(*client, openings, {.depth = none.depth});
        if (!searches) return tl::unexpected(searches.error());
        seconds.push_back(searches->typical_wall_seconds());
    }
    return ThreadGain{none.depth, seconds[0] / seconds[1]};
}

struct DepthReport {
    std::vector<Searches> ours, theirs;
    std::optional<ThreadGain> threads{};
};

nlohmann::ordered_json to_json(const DepthReport& report, const BenchDepthOptions& options) {
    nlohmann::ordered_json rows = nlohmann::ordered_json::array();
    for (std::size_t i = 0; i < report.ours.size(); ++i) {
        rows.push_back({{"nodes", options.nodes[i]},
                        {"depth", report.ours[i].mean_depth()},
                        {"stockfish_depth", report.theirs[i].mean_depth()}});
    }
    nlohmann::ordered_json json{
        {"benchmark", "depth"},
        {"rows", rows},
        {"nodes_per_cpu_second", report.ours.back().nodes_per_second()},
        {"stockfish_nodes_per_cpu_second", report.theirs.back().nodes_per_second()}};
    const auto ours = branching(report.ours), theirs = branching(report.theirs);
    if (ours && theirs) {
        json["branching"] = *ours;
        json["stockfish_branching"] = *theirs;
        json["ratio"] = *theirs / *ours;
    }
    if (report.threads) {
        json["threads"] = {{"threads", options.threads},
                           {"depth", report.threads->depth},
                           {"ratio", report.threads->ratio}};
    }
    return json;
}

void print_report(Console& console, const DepthReport& report, const BenchDepthOptions& options) {
    console.print("{:>10} {:>12} {:>16}\n", "nodes", "solis depth", "stockfish depth");
    for (std::size_t i = 0; i < report.ours.size(); ++i) {
        console.print("{:>10} {:>12.2f} {:>16.2f}\n", options.nodes[i], report.ours[i].mean_depth(),
                      report.theirs[i].mean_depth());
    }
    // Of the longest searches only: short ones are mostly the first touch of an empty table.
    const double our_speed = report.ours.back().nodes_per_second();
    const double their_speed = report.theirs.back().nodes_per_second();
    console.print("ratio {:.2f}  our {:.0f} nodes per CPU second to Stockfish's {:.0f}\n",
                  our_speed / their_speed, our_speed, their_speed);
    const auto ours = branching(report.ours), theirs = branching(report.theirs);
    if (ours && theirs) {
        console.print("ratio {:.2f}  Stockfish's branching factor {:.2f} to ours {:.2f}\n",
                      *theirs / *ours, *theirs, *ours);
    }
    if (report.threads) {
        console.print("ratio {:.2f}  time to depth {} of one thread to that of {}\n",
                      report.threads->ratio, report.threads->depth, options.threads);
    }
}

Result<DepthReport> measure(const BenchDepthOptions& options) {
    lab::OpeningOptions wanted;
    wanted.seed = Seed{options.seed};
    wanted.rounds = options.positions;
    const auto openings = lab::load_openings(wanted, false);
    if (!openings) return tl::unexpected(openings.error());
    std::vector<lab::Opening> chosen;
    for (std::uint64_t i = 0; i < options.positions; ++i) chosen.push_back(openings->for_round(i));
    auto ours = measure_rows(start_solis(options, 1), options, chosen);
    if (!ours) return tl::unexpected(ours.error());
    auto theirs = measure_rows(start_stockfish(), options, chosen);
    if (!theirs) return tl::unexpected(theirs.error());
    DepthReport report{std::move(*ours), std::move(*theirs)};
    if (options.threads > 1) {
        const auto gain = measure_threads(options, report.ours.back().mean_depth(), chosen);
        if (!gain) return tl::unexpected(gain.error());
        report.threads = *gain;
    }
    return report;
}

ExitCode run_bench_depth(const BenchDepthOptions& options, Console& console) {
    const auto report = measure(options);
    if (!report) return console.error(report.error());
    if (options.json) {
        print_json(console, to_json(*report, options));
    } else {
        print_report(console, *report, options);
    }
    return ExitCode::Ok;
}

}  // namespace

void add_bench_depth(Command& parent, Session& session) {
    const auto options = std::make_shared<BenchDepthOptions>();
    Command* command = parent.add_subcommand(
        "depth", "depth for nodes and the branching factor, beside Stockfish");
    command->add_option("--nodes", options->nodes, "of a search, one row each, the fewest first")
        ->range(100, 1'000'000'000)
        ->capture_default_str();
    command->add_option("--positions", options->positions, "embedded openings that are searched")
        ->range(1, 10'000)
        ->capture_default_str();
    command->add_option("--threads", options->threads, "more than 1: time to depth with so many")
        ->range(1, 256)
        ->capture_default_str();
    command->add_option("--model", options->model, "model file (default: the embedded one)");
    command->add_option("--seed", options->seed, "of the choice of openings")
        ->capture_default_str();
    add_json_flag(*command, options->json);
    command->callback(
        [options, &session] { session.exit_code = run_bench_depth(*options, session.console); });
}

}  // namespace solis::cli
