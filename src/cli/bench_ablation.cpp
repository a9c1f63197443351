// solis bench ablation: what a feature of a plan is worth, as Elo at equal CPU time. Both sides
// play in this process, so that a busy machine disturbs both alike.
#include <atomic>
#include <charconv>
#include <cmath>
#include <memory>
#include <mutex>
#include <vector>

#include <nlohmann/json.hpp>

#include "base/byte_source.h"
#include "base/rng.h"
#include "base/text.h"
#include "base/thread_pool.h"
#include "chess/epd.h"
#include "chess/fen.h"
#include "chess/movegen.h"
#include "cli/benchmarks.h"
#include "model/embedded_model.h"
#include "planner/plan.h"

namespace solis::cli {
namespace {

using planner::Planner;

struct AblationOptions {
    std::string model;
    std::vector<std::string> a;
    std::vector<std::string> b;
    int pairs = 100;
    int cpu_ms = 20;
    int nodes = 0;
    int jobs = 1;
    std::uint64_t seed = 1;
    bool json = false;
};

// Plies of random moves that a pair of games begins with, and how far from equal (in win
// probability) the side to move may then be.
constexpr int kOpeningPlies = 8;
constexpr double kBalance = 0.12;
constexpr int kMostPlies = 240;
// Both sides agreeing this often in a row that the game is decided ends it.
constexpr int kAgreedPlies = 6;
constexpr double kAgreedProbability = 0.96;

// "name=value,..." on top of the defaults: "plan=paper", "width=8" or a feature of the deep plan.
Result<planner::Settings> settings_from(const std::vector<std::string>& changes) {
    planner::Settings settings;
    settings.hash_megabytes = 16;
    for (const std::string& change : changes) {
        const std::size_t equals = change.find('=');
        const std::string name = change.substr(0, equals);
        const std::string value = equals == std::string::npos ? "0" : change.substr(equals + 1);
        if (name == "plan") {
            const auto kind = planner::plan_kind_from(value);
            if (!kind) return fail(fmt::format("no plan is called '{}'", value));
            settings.kind = *kind;
            continue;
        }
        int number = 0;
        const char* const end = value.data() + value.size();
        if (const auto read = std::from_chars(value.data(), end, number);
            read.ec != std::errc() || read.ptr != end) {
            return fail(fmt::format("'{}' is not a whole number in '{}'", value, change),
                        "write NAME=NUMBER, for example null-move=0");
        }
        if (name == "width") {
            settings.width = number;
        } else if (name == "plies") {
            settings.plies = number;
        } else if (name == "threads") {
            settings.threads = number;
        } else if (name == "elo") {
            settings.elo = number;
        } else if (!planner::set_feature(settings.deep, name, number)) {
            return fail(fmt::format("no feature is called '{}'", name));
        }
    }
    return settings;
}

class Duel {
  public:
    Duel(std::shared_ptr<const model::LoadedModel> model, const planner::Settings& a,
         const planner::Settings& b, const AblationOptions& options)
        : a_(model, a), b_(model, b), options_(options) {
        limits_.count_cpu_time = true;
        if (options.nodes > 0) {
            limits_.nodes = static_cast<std::uint64_t>(options.nodes);
        } else {
            limits_.movetime = planner::Milliseconds(options.cpu_ms);
        }
    }

    // Points of A in two games from one opening, colours changed.
    double play_pair(std::uint64_t number) {
        const chess::Game opening = make_opening(number);
        return play(opening, true) + play(opening, false);
    }

  private:
    chess::Game make_opening(std::uint64_t number) {
        Rng rng(Seed{options_.seed * 1'000'003 + number});
        planner::Limits shallow;
        shallow.nodes = 4000;
        for (;;) {
            chess::Game game;
            for (int ply = 0; ply < kOpeningPlies; ++ply) {
                const chess::MoveList moves = chess::legal_moves(game.position());
                if (moves.empty()) break;
                game.push(moves[rng.below(moves.size())]);
            }
            if (game.outcome(chess::Claims::Counted)) continue;
            a_.clear_hash();
            const planner::Plan plan = a_.plan(game, shallow);
            const double p = a_.scale().win_probability(plan.lines.front().value,
                                                        game.position().side_to_move());
            if (std::abs(p - 0.5) < kBalance) return game;
        }
    }

    // 1, 0.5 or 0 for A.
    double play(chess::Game game, bool a_is_white) {
        a_.clear_hash();
        b_.clear_hash();
        int agreed = 0;
        for (int ply = 0; ply < kMostPlies; ++ply) {
            if (const auto end = game.outcome(chess::Claims::Counted)) {
                if (!end->winner) return 0.5;
                return (*end->winner == chess::Color::White) == a_is_white ? 1 : 0;
            }
            const chess::Color mover = game.position().side_to_move();
            const bool a_moves = (mover == chess::Color::White) == a_is_white;
            Planner& player = a_moves ? a_ : b_;
            const planner::Plan plan = player.plan(game, limits_);
            const double p = player.scale().win_probability(plan.lines.front().value, mover);
            const double for_a = a_moves ? p : 1 - p;
            const int sign = for_a > kAgreedProbability       ? 1
                             : for_a < 1 - kAgreedProbability ? -1
                                                              : 0;
            agreed = sign == 0 || agreed * sign < 0 ? sign : agreed + sign;
            if (std::abs(agreed) >= kAgreedPlies) return agreed > 0 ? 1 : 0;
            game.push(plan.best());
        }
        return 0.5;
    }

    Planner a_;
    Planner b_;
    const AblationOptions& options_;
    planner::Limits limits_;
};

// From the points of pairs: pairs, not games, because games of a pair share their opening.
struct Verdict {
    int pairs = 0;
    double points = 0;
    double squares = 0;

    void add(double pair_points) {
        const double score = pair_points / 2;
        ++pairs;
        points += score;
        squares += score * score;
    }
    static double elo_at(double score) {
        const double s = std::fmin(std::fmax(score, 1e-3), 1 - 1e-3);
        return -400 * std::log10(1 / s - 1);
    }
    [[nodiscard]] double score() const { return points / pairs; }
    [[nodiscard]] double elo() const { return elo_at(score()); }
    // Half of the 95 % interval.
    [[nodiscard]] double error() const {
        const double variance = std::fmax(squares / pairs - score() * score(), 1e-6);
        const double spread = 1.96 * std::sqrt(variance / pairs);
        return (elo_at(score() + spread) - elo_at(score() - spread)) / 2;
    }
};

ExitCode run_ablation(const AblationOptions& options, Console& console) {
    const auto a = settings_from(options.a);
    if (!a) return console.error(a.error(), ExitCode::Usage);
    const auto b = settings_from(options.b);
    if (!b) return console.error(b.error(), ExitCode::Usage);
    auto file = model::load_model_or_default(options.model);
    if (!file) return console.error(file.error());
    const auto model = model::prepare(std::move(*file));
    if (!model) return console.error(model.error());

    Verdict verdict;
    std::mutex mutex;
    std::atomic<int> next{0};
    ThreadPool pool(static_cast<std::size_t>(options.jobs));
    pool.run(static_cast<std::size_t>(options.jobs), [&](std::size_t) {
        Duel duel(*model, *a, *b, options);
        for (int pair = next++; pair < options.pairs; pair = next++) {
            const double points = duel.play_pair(static_cast<std::uint64_t>(pair));
            const std::lock_guard lock(mutex);
            verdict.add(points);
            if (verdict.pairs % 20 == 0) {
                console.note("{} games: {:+.0f} +- {:.0f}", 2 * verdict.pairs, verdict.elo(),
                             verdict.error());
            }
        }
    });
    if (options.json) {
        print_json(console, {{"benchmark", "ablation"},
                             {"games", 2 * verdict.pairs},
                             {"score", verdict.score()},
                             {"elo", verdict.elo()},
                             {"error", verdict.error()}});
    } else {
        console.print("{} games, A scores {:.1f} %, Elo {:+.0f} +- {:.0f}\n", 2 * verdict.pairs,
                      100 * verdict.score(), verdict.elo(), verdict.error());
        console.print("ratio {:.2f}  points of A to points of B\n",
                      verdict.score() / std::fmax(1 - verdict.score(), 1e-3));
    }
    return ExitCode::Ok;
}

}  // namespace

void add_bench_ablation(Command& parent, Session& session) {
    const auto options = std::make_shared<AblationOptions>();
    Command* command = parent.add_subcommand(
        "ablation", "what a feature of a plan is worth: Elo of A against B at equal CPU time");
    command->add_option("--model", options->model, "model file (default: the embedded one)");
    command->add_option("--a", options->a, "changes of A: name=value, e.g. null-move=0");
    command->add_option("--b", options->b, "changes of B");
    command->add_option("--pairs", options->pairs, "pairs of games")
        ->range(1, 100'000)
        ->capture_default_str();
    command->add_option("--cpu-ms", options->cpu_ms, "CPU time per move")
        ->range(1, 100'000)
        ->capture_default_str();
    command->add_option("--nodes", options->nodes, "positions embedded per move, instead of time")
        ->range(0, 1e9);
    command->add_option("--jobs", options->jobs, "games at once")->range(1, 256);
    command->add_option("--seed", options->seed, "of the openings")->capture_default_str();
    add_json_flag(*command, options->json);
    command->callback(
        [options, &session] { session.exit_code = run_ablation(*options, session.console); });
}

}  // namespace solis::cli
