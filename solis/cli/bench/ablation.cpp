// solis bench ablation: what a feature of a plan (or another model) is worth, as Elo at equal CPU
// time, to a fixed number of games or until a sequential test decides.
#include <atomic>
#include <cmath>
#include <memory>
#include <mutex>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "solis/base/thread_pool.h"
#include "solis/cli/bench/benchmarks.h"
#include "solis/lab/duel/plan_duel.h"
#include "solis/lab/rating/sprt.h"
#include "solis/model/lockstep.h"
#include "solis/model/open.h"

namespace solis::cli {
namespace {

struct AblationOptions {
    std::string model;
    std::string model_b;
    std::vector<std::string> a;
    std::vector<std::string> b;
    std::string sprt;
    int pairs = 100;
    int cpu_ms = 20;
    int nodes = 0;
    int nodes_b = 0;
    int jobs = 1;
    std::uint64_t seed = 1;
    bool json = false;
};

// Threads get their embeddings each, as time would give them to cores of their own.
lab::DuelSide side_of(const AblationOptions& options, int nodes,
                      std::shared_ptr<const model::LoadedModel> model,
                      const planner::Settings& settings) {
    lab::DuelSide side{std::move(model), settings, {}};
    side.limits.count_cpu_time = true;
    if (nodes == 0) {
        side.limits.movetime = planner::Milliseconds(options.cpu_ms);
        return side;
    }
    const auto all =
        static_cast<std::uint64_t>(nodes) * static_cast<std::uint64_t>(settings.threads);
    side.limits.embeddings = all;
    if (settings.threads > 1) side.model = lockstep_model(side.model);
    return side;
}

// The state of the match, and when it is over.
class Score {
  public:
    Score(std::optional<lab::SprtTest> test, Console& console) : test_(test), console_(console) {}

    // Whether another pair is to be played.
    [[nodiscard]] bool goes_on() {
        const std::lock_guard lock(mutex_);
        return decision_ == lab::SprtDecision::Continue;
    }
    void add(double points) {
        const std::lock_guard lock(mutex_);
        ++pairs_[static_cast<std::size_t>(std::lround(2 * points))];
        const lab::ScoreCount count = this->count();
        if (test_) decision_ = lab::decide(*test_, lab::log_likelihood_ratio(*test_, count));
        if (count.games() % 40 == 0) console_.note("{}", text());
    }
    [[nodiscard]] lab::ScoreCount count() const { return lab::count_of_pairs(pairs_); }
    [[nodiscard]] std::string text() const {
        const lab::ScoreCount count = this->count();
        const auto found = lab::estimate(count);
        std::string text = fmt::format("{} games: {:+.0f}", count.games(), found->elo);
        if (found->elo_95) {
            text += fmt::format(" +- {:.0f} Elo", (found->elo_95->high - found->elo_95->low) / 2);
        }
        if (test_) {
            const double ratio = lab::log_likelihood_ratio(*test_, count);
            text += fmt::format(", LLR {} ({})", lab::sprt_text(*test_, ratio),
                                lab::to_string(lab::decide(*test_, ratio)));
        }
        return text;
    }

  private:
    std::optional<lab::SprtTest> test_;
    Console& console_;
    std::mutex mutex_;
    std::array<std::uint64_t, 5> pairs_{};
    lab::SprtDecision decision_ = lab::SprtDecision::Continue;
};

void print(const Score& score, bool json, Console& console) {
    const lab::ScoreCount count = score.count();
    const auto found = lab::estimate(count);
    if (json) {
        print_json(console, {{"benchmark", "ablation"},
                             {"games", count.games()},
                             {"pairs", count.pairs},
                             {"score", found->score},
                             {"elo", found->elo},
                             {"result", score.text()}});
        return;
    }
    console.print("{}\n", score.text());
    console.print("pairs by points of A (0, 1/2, 1, 3/2, 2): {}\n", fmt::join(count.pairs, ", "));
    console.print("ratio {:.2f}  points of A to points of B\n",
                  found->score / std::fmax(1 - found->score, 1e-3));
}

ExitCode run_ablation(const AblationOptions& options, Console& console) {
    const auto a = lab::duel_settings(options.a);
    if (!a) return console.error(a.error(), ExitCode::Usage);
    const auto b = lab::duel_settings(options.b);
    if (!b) return console.error(b.error(), ExitCode::Usage);
    std::optional<lab::SprtTest> test;
    if (!options.sprt.empty()) {
        const auto read = lab::parse_sprt(options.sprt);
        if (!read) return console.error(read.error(), ExitCode::Usage);
        test = *read;
    }
    const auto model_a = model::open(options.model);
    if (!model_a) return console.error(model_a.error());
    const auto model_b = options.model_b.empty() ? model_a : model::open(options.model_b);
    if (!model_b) return console.error(model_b.error());

    const int nodes_b = options.nodes_b > 0 ? options.nodes_b : options.nodes;
    Score score(test, console);
    std::atomic<int> next{0};
    ThreadPool pool(static_cast<std::size_t>(options.jobs));
    pool.run(static_cast<std::size_t>(options.jobs), [&](std::size_t) {
        lab::PlanDuel duel(side_of(options, options.nodes, *model_a, *a),
                           side_of(options, nodes_b, *model_b, *b), options.seed);
        for (int pair = next++; pair < options.pairs && score.goes_on(); pair = next++) {
            score.add(duel.play_pair(static_cast<std::uint64_t>(pair)));
        }
    });
    print(score, options.json, console);
    return ExitCode::Ok;
}

}  // namespace

void add_bench_ablation(Command& parent, Session& session) {
    const auto options = std::make_shared<AblationOptions>();
    Command* command = parent.add_subcommand(
        "ablation", "what a feature of a plan is worth: Elo of A against B at equal CPU time");
    command->add_option("--model", options->model, "model file (default: the embedded one)");
    command->add_option("--model-b", options->model_b, "model file of B (default: that of A)");
    command->add_option("--a", options->a, "changes of A: name=value, e.g. null-move=0");
    command->add_option("--b", options->b, "changes of B");
    command->add_option("--sprt", options->sprt,
                        "stop when this test decides: elo0=0,elo1=10,alpha=0.05,beta=0.05");
    command->add_option("--pairs", options->pairs, "pairs of games, at most")
        ->range(1, 100'000)
        ->capture_default_str();
    command->add_option("--cpu-ms", options->cpu_ms, "CPU time per move")
        ->range(1, 100'000)
        ->capture_default_str();
    command
        ->add_option(
            "--nodes", options->nodes,
            "positions embedded per move and thread, instead of time; threads advance together")
        ->range(0, 1e9);
    command->add_option("--nodes-b", options->nodes_b, "the same of B (default: as A)")
        ->range(0, 1e9);
    command->add_option("--jobs", options->jobs, "games at once")->range(1, 256);
    command->add_option("--seed", options->seed, "of the openings")->capture_default_str();
    add_json_flag(*command, options->json);
    command->callback(
        [options, &session] { session.exit_code = run_ablation(*options, session.console); });
}

}  // namespace solis::cli
