// solis bench clock: games at very short time controls on a fake clock. No move may be illegal, and
// none too late.
#include <array>
#include <memory>

#include <nlohmann/json.hpp>

#include "solis/cli/bench/benchmarks.h"
#include "solis/model/open.h"
#include "solis/planner/time/clock_rehearsal.h"

namespace solis::cli {
namespace {

using Microseconds = std::chrono::microseconds;

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
constexpr std::array kTimeRules{
    planner::TimeRule{.movetime = planner::Milliseconds(2), .lag = Microseconds(500)},
    planner::TimeRule{.movetime = planner::Milliseconds(10), .lag = Microseconds(2000)},
    planner::TimeRule{
        .clock = {.base = planner::Milliseconds(100), .increment = planner::Milliseconds(5)},
        .lag = Microseconds(2000)},
    planner::TimeRule{
        .clock = {.base = planner::Milliseconds(20), .increment = planner::Milliseconds(10)},
        .lag = Microseconds(4000)},
    planner::TimeRule{
        .clock = {.base = planner::Milliseconds(5), .increment = planner::Milliseconds(20)},
        .lag = Microseconds(2000)},
    planner::TimeRule{.clock = {.base = planner::Milliseconds(500)}, .lag = Microseconds(200)},
    planner::TimeRule{.clock = {.base = planner::Milliseconds(1000)}, .lag = Microseconds(1000)},
    planner::TimeRule{.clock = {.base = planner::Milliseconds(300), .moves = 40},
                      .lag = Microseconds(500)},
    planner::TimeRule{.clock = {.base = planner::Milliseconds(40),
                                .increment = planner::Milliseconds(2),
                                .moves = 5},
                      .lag = Microseconds(1000)},
    planner::TimeRule{.clock = {.base = planner::Milliseconds(30), .moves = 1},
                      .lag = Microseconds(2000)},
};

// Of the games at one rule.
struct ClockTally {
    int games = 0;
    std::int64_t plies = 0;
    int time_losses = 0;
    int illegal_moves = 0;
    Microseconds least_left = Microseconds::max();
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

using ClockTallies = std::array<ClockTally, kTimeRules.size()>;

ClockTallies play_on_fake_clock(const std::shared_ptr<const model::LoadedModel>& model,
                                const BenchClockOptions& options) {
    planner::FakeClock clock;
    planner::FakeMachine machine;
    machine.per_embedding = Microseconds(options.per_embedding_us);
    planner::Settings settings;
    settings.kind = *planner::plan_kind_from(options.plan);
    settings.threads = options.threads;
    settings.hash_megabytes = 1;
    planner::Planner planner(planner::timed_model(model, clock, machine), settings);
    Rng seeds(Seed{options.seed});
    ClockTallies tallies;
    for (int i = 0; i < options.games; ++i) {
        const std::size_t rule = static_cast<std::size_t>(i) % kTimeRules.size();
        tallies[rule].add(
            planner::rehearse_game(planner, clock, kTimeRules[rule], Seed{seeds.next()}));
    }
    return tallies;
}

nlohmann::ordered_json row_of(const planner::TimeRule& rule, const ClockTally& tally) {
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
    const auto model = model::open(options.model);
    if (!model) return console.error(model.error());
    const ClockTallies tallies = play_on_fake_clock(*model, options);
    nlohmann::ordered_json rows = nlohmann::ordered_json::array();
    int clean = 0;
    if (!options.json) {
        console.print("{:<14} {:>8} {:>9} {:>12} {:>8} {:>14} {:>6}\n", "control", "games", "plies",
                      "time losses", "illegal", "least left ms", "used");
    }
    for (std::size_t i = 0; i < kTimeRules.size(); ++i) {
        const ClockTally& tally = tallies[i];
        if (tally.games == 0) continue;
        clean += tally.games - tally.time_losses - tally.illegal_moves;
        rows.push_back(row_of(kTimeRules[i], tally));
        if (options.json) continue;
        console.print("{:<14} {:>8} {:>9} {:>12} {:>8} {:>14.2f} {:>6.2f}\n",
                      to_string(kTimeRules[i]), tally.games, tally.plies, tally.time_losses,
                      tally.illegal_moves, static_cast<double>(tally.least_left.count()) / 1000,
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
    command->add_option("--per-embedding", options->per_embedding_us, "Microseconds")
        ->range(1, 1'000)
        ->capture_default_str();
    command->add_option("--seed", options->seed, "of the games")->capture_default_str();
    add_json_flag(*command, options->json);
    command->callback(
        [options, &session] { session.exit_code = run_bench_clock(*options, session.console); });
}

}  // namespace solis::cli
