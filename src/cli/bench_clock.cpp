// solis bench clock: games at very short time controls on a fake clock. No move may be illegal, and
// none too late.
#include <array>
#include <memory>

#include <nlohmann/json.hpp>

#include "cli/benchmarks.h"
#include "model/embedded_model.h"
#include "planner/clock_rehearsal.h"

namespace solis::cli {
namespace {

using planner::Milliseconds;
using planner::TimeRule;
using std::chrono::microseconds;

struct BenchClockOptions {
    std::string model;
    std::string plan = "deep";
    int games = 10'000;
    int threads = 1;
    int per_embedding_us = 25;
    std::uint64_t seed = 1;
    bool json = false;
};

// The lag is what each of them can bear: with an increment a good part of it, else a pipe's.
constexpr std::array kRules{
    TimeRule{.movetime = Milliseconds(2), .lag = microseconds(500)},
    TimeRule{.movetime = Milliseconds(10), .lag = microseconds(2000)},
    TimeRule{.base = Milliseconds(100), .increment = Milliseconds(5), .lag = microseconds(2000)},
    TimeRule{.base = Milliseconds(20), .increment = Milliseconds(10), .lag = microseconds(4000)},
    TimeRule{.base = Milliseconds(5), .increment = Milliseconds(20), .lag = microseconds(2000)},
    TimeRule{.base = Milliseconds(500), .lag = microseconds(200)},
    TimeRule{.base = Milliseconds(1000), .lag = microseconds(1000)},
    TimeRule{.base = Milliseconds(300), .moves_per_period = 40, .lag = microseconds(500)},
    TimeRule{.base = Milliseconds(40),
             .increment = Milliseconds(2),
             .moves_per_period = 5,
             .lag = microseconds(1000)},
    TimeRule{.base = Milliseconds(30), .moves_per_period = 1, .lag = microseconds(2000)},
};

// Of the games at one rule.
struct Tally {
    int games = 0;
    std::int64_t plies = 0;
    int time_losses = 0;
    int illegal_moves = 0;
    microseconds least_left = microseconds::max();
    double share_used = 0;  // summed

    void add(const planner::RehearsedGame& game) {
        ++games;
        plies += game.plies;
        time_losses += game.time_loss ? 1 : 0;
        illegal_moves += game.illegal_move ? 1 : 0;
        least_left = std::min(least_left, game.least_left);
        share_used += game.share_used;
    }
};

using Tallies = std::array<Tally, kRules.size()>;

Tallies play(const std::shared_ptr<const model::LoadedModel>& model,
             const BenchClockOptions& options) {
    planner::FakeClock clock;
    planner::FakeMachine machine;
    machine.per_embedding = microseconds(options.per_embedding_us);
    planner::Settings settings;
    settings.kind = *planner::plan_kind_from(options.plan);
    settings.threads = options.threads;
    settings.hash_megabytes = 1;
    planner::Planner planner(planner::timed_model(model, clock, machine), settings);
    Rng seeds(Seed{options.seed});
    Tallies tallies;
    for (int i = 0; i < options.games; ++i) {
        const std::size_t rule = static_cast<std::size_t>(i) % kRules.size();
        tallies[rule].add(planner::rehearse_game(planner, clock, kRules[rule], Seed{seeds.next()}));
    }
    return tallies;
}

nlohmann::ordered_json to_json(const TimeRule& rule, const Tally& tally) {
    return {{"control", to_string(rule)},
            {"lag_us", rule.lag.count()},
            {"games", tally.games},
            {"plies", tally.plies},
            {"time_losses", tally.time_losses},
            {"illegal_moves", tally.illegal_moves},
            {"least_left_us", tally.least_left.count()},
            {"share_used", tally.share_used / tally.games}};
}

ExitCode run_bench_clock(const BenchClockOptions& options, Console& console) {
    auto file = model::load_model_or_default(options.model);
    if (!file) return console.error(file.error());
    const auto model = model::prepare(std::move(*file));
    if (!model) return console.error(model.error());
    const Tallies tallies = play(*model, options);
    nlohmann::ordered_json rows = nlohmann::ordered_json::array();
    int clean = 0;
    if (!options.json) {
        console.print("{:<14} {:>8} {:>9} {:>12} {:>8} {:>14} {:>6}\n", "control", "games", "plies",
                      "time losses", "illegal", "least left ms", "used");
    }
    for (std::size_t i = 0; i < kRules.size(); ++i) {
        const Tally& tally = tallies[i];
        if (tally.games == 0) continue;
        clean += tally.games - tally.time_losses - tally.illegal_moves;
        rows.push_back(to_json(kRules[i], tally));
        if (options.json) continue;
        console.print("{:<14} {:>8} {:>9} {:>12} {:>8} {:>14.2f} {:>6.2f}\n", to_string(kRules[i]),
                      tally.games, tally.plies, tally.time_losses, tally.illegal_moves,
                      static_cast<double>(tally.least_left.count()) / 1000,
                      tally.share_used / tally.games);
    }
    const double ratio = static_cast<double>(clean) / options.games;
    if (options.json) {
        print_json(console, {{"benchmark", "clock"},
                             {"plan", options.plan},
                             {"threads", options.threads},
                             {"per_embedding_us", options.per_embedding_us},
                             {"rows", rows},
                             {"ratio", ratio}});
    } else {
        console.print("ratio {:.4f}  games without time loss or illegal move to all games\n",
                      ratio);
    }
    return clean == options.games ? ExitCode::Ok : ExitCode::Failed;
}

}  // namespace

void add_bench_clock(Command& parent, Session& session) {
    const auto options = std::make_shared<BenchClockOptions>();
    Command* command = parent.add_subcommand(
        "clock", "games at very short time controls on a clock that only embeddings move");
    command->add_option("--model", options->model, "model file (default: the embedded one)");
    command->add_option("--plan", options->plan, "deep, paper or puct")
        ->one_of({"deep", "paper", "puct"})
        ->capture_default_str();
    command->add_option("--games", options->games, "over all controls")
        ->range(1, 10'000'000)
        ->capture_default_str();
    command->add_option("--threads", options->threads, "of the plan")
        ->range(1, planner::Settings::kMaxThreads)
        ->capture_default_str();
    command->add_option("--per-embedding", options->per_embedding_us, "microseconds")
        ->range(1, 1'000)
        ->capture_default_str();
    command->add_option("--seed", options->seed, "of the games")->capture_default_str();
    add_json_flag(*command, options->json);
    command->callback(
        [options, &session] { session.exit_code = run_bench_clock(*options, session.console); });
}

}  // namespace solis::cli
