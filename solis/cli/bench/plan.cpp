// solis bench plan: what the paper's plan costs at W = 3, beside the 50 ms that the paper allows
// a move, and beside the same plan without pruning. CPU time of all threads, and what a clock on
// the wall says.
#include "solis/planner/plan.h"

#include <array>
#include <chrono>
#include <memory>
#include <vector>

#include <nlohmann/json.hpp>

#include "solis/base/cpu_time.h"
#include "solis/chess/fen.h"
#include "solis/cli/bench/benchmarks.h"
#include "solis/model/open.h"

namespace solis::cli {
namespace {

struct BenchPlanOptions {
    std::string model;
    int width = 3;
    int repeats = 5;
    int threads = 1;
    bool json = false;
};

constexpr std::array kPositions{
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "r1bqkbnr/pppp1ppp/2n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3",
    "rnbq1rk1/ppp1ppbp/3p1np1/8/2PPP3/2N2N2/PP2BPPP/R1BQK2R b KQ - 1 6",
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
    "2r3k1/pp3ppp/4p3/3pP3/1P1P4/P4N2/5PPP/2R3K1 w - - 0 24",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "3r2k1/1p3ppp/p1q5/4p3/4n3/P1Q1PN2/1P3PPP/3R2K1 b - - 0 22",
};
constexpr std::array kPlies{3, 4, 5};
constexpr double kBudgetMs = 50;

// Means over the positions.
struct Cost {
    double beam_nodes = 0;
    double embedded = 0;
    double ms = 0;       // CPU time
    double wall_ms = 0;  // best of the rounds
};

Result<Cost> measure(const std::shared_ptr<const model::LoadedModel>& model,
                     const BenchPlanOptions& options, int plies, bool prune) {
    planner::Settings settings;
    settings.kind = planner::PlanKind::Paper;
    settings.width = options.width;
    settings.plies = plies;
    settings.prune_paper = prune;
    settings.hash_megabytes = 1;
    settings.threads = options.threads;
    planner::Planner planner(model, settings);
    Cost cost;
    double best_seconds = 1e9, best_wall = 1e9;
    for (int round = 0; round < options.repeats; ++round) {
        cost = {};
        const double start = process_cpu_seconds();
        const auto wall_start = std::chrono::steady_clock::now();
        for (const char* fen : kPositions) {
            const auto position = chess::parse_fen(fen);
            if (!position) return tl::unexpected(position.error());
            const planner::Plan plan = planner.plan(chess::Game(*position), {});
            cost.beam_nodes += static_cast<double>(plan.effort.beam_nodes) / kPositions.size();
            cost.embedded += static_cast<double>(plan.effort.embedded) / kPositions.size();
        }
        best_seconds = std::min(best_seconds, process_cpu_seconds() - start);
        const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - wall_start;
        best_wall = std::min(best_wall, wall.count());
    }
    cost.ms = 1000 * best_seconds / kPositions.size();
    cost.wall_ms = 1000 * best_wall / kPositions.size();
    return cost;
}

ExitCode run_bench_plan(const BenchPlanOptions& options, Console& console) {
    const auto model = model::open(options.model);
    if (!model) return console.error(model.error());
    nlohmann::ordered_json rows = nlohmann::ordered_json::array();
    Cost last, last_plain;
    if (!options.json) {
        console.print("{:<10} {:>12} {:>12} {:>10} {:>10} {:>14} {:>10}\n", "plan", "beam nodes",
                      "embedded", "CPU ms", "wall ms", "unpruned emb.", "CPU ms");
    }
    for (const int plies : kPlies) {
        const auto pruned = measure(*model, options, plies, true);
        if (!pruned) return console.error(pruned.error());
        const auto plain = measure(*model, options, plies, false);
        if (!plain) return console.error(plain.error());
        last = *pruned;
        last_plain = *plain;
        rows.push_back({{"plies", plies},
                        {"width", options.width},
                        {"beam_nodes", last.beam_nodes},
                        {"embedded", last.embedded},
                        {"ms_per_move", last.ms},
                        {"wall_ms_per_move", last.wall_ms},
                        {"unpruned_beam_nodes", last_plain.beam_nodes},
                        {"unpruned_embedded", last_plain.embedded},
                        {"unpruned_ms_per_move", last_plain.ms}});
        if (options.json) continue;
        console.print("S={} W={:<4} {:>12.0f} {:>12.0f} {:>10.2f} {:>10.2f} {:>14.0f} {:>10.2f}\n",
                      plies, options.width, last.beam_nodes, last.embedded, last.ms, last.wall_ms,
                      last_plain.embedded, last_plain.ms);
    }
    if (options.json) {
        print_json(console, {{"benchmark", "plan"},
                             {"budget_ms", kBudgetMs},
                             {"rows", rows},
                             {"ratio", kBudgetMs / last.ms},
                             {"pruning_ratio", last_plain.embedded / last.embedded}});
        return ExitCode::Ok;
    }
    console.print("ratio {:.2f}  the paper's 50 ms to our time, S=5\n", kBudgetMs / last.ms);
    console.print("ratio {:.2f}  embeddings without pruning to embeddings with it, S=5\n",
                  last_plain.embedded / last.embedded);
    return ExitCode::Ok;
}

}  // namespace

void add_bench_plan(Command& parent, Session& session) {
    const auto options = std::make_shared<BenchPlanOptions>();
    Command* command =
        parent.add_subcommand("plan", "the paper's plan beside its budget of 50 ms per move");
    command->add_option("--model", options->model, "model file (default: the embedded one)");
    command->add_option("--width", options->width, "W")->range(1, 256)->capture_default_str();
    command->add_option("--repeats", options->repeats, "rounds, the best of which counts")
        ->range(1, 100)
        ->capture_default_str();
    command->add_option("--threads", options->threads, "for encoders that share siblings")
        ->range(1, planner::Settings::kMaxThreads)
        ->capture_default_str();
    add_json_flag(*command, options->json);
    command->callback(
        [options, &session] { session.exit_code = run_bench_plan(*options, session.console); });
}

}  // namespace solis::cli
