// solis bench uci: how long the engine takes to be ready, and to answer "stop", beside Stockfish.
// CPU time of the engine says what the engine needs; time on the wall also what the machine does.
// On a busy machine the thread that reads "stop" waits for a core while the search goes on, so the
// plans are also stopped inside this process, where only what they do afterwards counts.
#include <algorithm>
#include <chrono>
#include <filesystem>
#include <memory>
#include <thread>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "solis/base/rng.h"
#include "solis/base/scratch_folder.h"
#include "solis/chess/fen.h"
#include "solis/cli/bench/benchmarks.h"
#include "solis/cli/own_program.h"
#include "solis/engine/client/find_engine.h"
#include "solis/engine/client/uci_client.h"
#include "solis/lab/bench/stop_times.h"
#include "solis/model/model_file.h"
#include "solis/model/open.h"

namespace solis::cli {
namespace {

struct BenchUciOptions {
    int starts = 10;
    int stops = 30;
    bool no_transformer = false;
    std::uint64_t seed = 1;
    bool json = false;
};

constexpr std::chrono::milliseconds kStopPatience{60'000};

struct UciContender {
    std::string name;
    std::vector<std::string> command;
    std::vector<std::pair<std::string, std::string>> options;
    int threads = 1;
};

double cpu_ms(const engine::UciClient& client) { return 1000 * client.cpu_time().count(); }

// From the start of the process to readyok.
Result<lab::AnswerTimes> measure_starts(const UciContender& contender, int count) {
    lab::AnswerTimes times;
    for (int i = 0; i < count; ++i) {
        const std::chrono::steady_clock::time_point start = std::chrono::steady_clock::now();
        const auto client = engine::UciClient::start({contender.command, contender.options, {}});
        if (!client) return tl::unexpected(client.error());
        times.wall.add(lab::ms_since(start));
        times.cpu.add(cpu_ms(*client));
    }
    return times;
}

// From "stop" to bestmove, at random moments of an infinite search. CPU time is that of a thread.
Result<lab::AnswerTimes> measure_stops(const UciContender& contender, int count, Rng& rng) {
    auto client = engine::UciClient::start({contender.command, contender.options, {}});
    if (!client) return tl::unexpected(client.error());
    const auto position = chess::parse_fen(lab::kStoppedPosition);
    if (!position) return tl::unexpected(position.error());
    lab::AnswerTimes times;
    for (int i = 0; i < count; ++i) {
        if (auto ready = client->new_game(); !ready) return tl::unexpected(ready.error());
        client->position(*position);
        client->go({.infinite = true});
        if (auto sent = client->flush(); !sent) return tl::unexpected(sent.error());
        std::this_thread::sleep_for(std::chrono::milliseconds(5 + rng.below(100)));
        const double cpu_before = cpu_ms(*client);
        const std::chrono::steady_clock::time_point start = std::chrono::steady_clock::now();
        if (auto sent = client->stop(); !sent) return tl::unexpected(sent.error());
        if (auto answer = client->wait_bestmove(kStopPatience); !answer) {
            return tl::unexpected(answer.error());
        }
        times.wall.add(lab::ms_since(start));
        times.cpu.add((cpu_ms(*client) - cpu_before) / contender.threads);
    }
    return times;
}

// Writes a transformer of the paper's size for engines to load. What its weights are does not
// matter to how long it takes.
Result<void> write_random_mini(const std::filesystem::path& path) {
    const auto shape = nn::transformer_preset("mini");
    if (!shape) return tl::unexpected(shape.error());
    model::TransformerEncoder encoder(data::Tokenizer::Deepmind, *shape);
    Rng rng(Seed{1});
    encoder.weights.randomize(rng);
    std::vector<float> up(static_cast<std::size_t>(shape->dims)), down(up);
    up[0] = 1;
    down[0] = -1;
    model::ModelFile file(std::move(encoder));
    file.axis = *model::axis_from_means(std::move(up), std::move(down));
    file.calibration = *model::Calibration::from_knots({-1.0f, 0.0f, 1.0f}, {0.0f, 0.5f, 1.0f});
    return model::save_model(path, file);
}

// One of our plans to be stopped, by a client and inside this process.
struct StoppedPlan {
    std::string plan;
    int threads;
    bool mini;

    [[nodiscard]] std::string name() const {
        return fmt::format("{}, {} thread{}{}", plan, threads, threads == 1 ? "" : "s",
                           mini ? ", Mini" : "");
    }
    // A plan of the paper that does not end before it is stopped.
    static constexpr int kWidth = 8;
    static constexpr int kPlies = 16;

    [[nodiscard]] UciContender contender(const std::string& mini_path) const {
        UciContender contender{name(),
                               {own_program().binary, "uci"},
                               {{"Plan", plan}, {"Threads", std::to_string(threads)}},
                               threads};
        if (plan == "paper") {
            contender.options.emplace_back("Width", std::to_string(kWidth));
            contender.options.emplace_back("Depth", std::to_string(kPlies));
        }
        if (mini) contender.options.emplace_back("WeightsFile", mini_path);
        return contender;
    }
    [[nodiscard]] planner::Settings settings() const {
        planner::Settings settings;
        settings.kind = *planner::plan_kind_from(plan);
        settings.threads = threads;
        settings.hash_megabytes = 16;
        settings.width = kWidth;
        settings.plies = kPlies;
        return settings;
    }
};

class UciReport {
  public:
    UciReport(Console& console, bool json) : console_(console), json_(json) {
        if (json_) return;
        console_.print("{:<38} {:>10} {:>10} {:>10} {:>10} {:>10}\n", "ms", "CPU median", "90 %",
                       "most", "wall med.", "most");
    }
    void add(const std::string& what, const lab::AnswerTimes& times) {
        rows_.push_back({{"what", what},
                         {"cpu_median_ms", times.cpu.median()},
                         {"cpu_90_ms", times.cpu.quantile(0.9)},
                         {"cpu_most_ms", times.cpu.most()},
                         {"wall_median_ms", times.wall.median()},
                         {"wall_90_ms", times.wall.quantile(0.9)},
                         {"wall_most_ms", times.wall.most()}});
        if (json_) return;
        console_.print("{:<38} {:>10.2f} {:>10.2f} {:>10.2f} {:>10.2f} {:>10.2f}\n", what,
                       times.cpu.median(), times.cpu.quantile(0.9), times.cpu.most(),
                       times.wall.median(), times.wall.most());
    }
    void finish(double start_ratio, double stop_ratio) {
        if (json_) {
            print_json(console_, {{"benchmark", "uci"},
                                  {"rows", rows_},
                                  {"stop_ratio", stop_ratio},
                                  {"ratio", start_ratio}});
            return;
        }
        console_.print("ratio {:.2f}  Stockfish's CPU time from start to readyok to ours\n",
                       start_ratio);
        console_.print("ratio {:.2f}  Stockfish's time on the wall from stop to bestmove to ours\n",
                       stop_ratio);
    }

  private:
    Console& console_;
    bool json_;
    nlohmann::ordered_json rows_ = nlohmann::ordered_json::array();
};

std::vector<StoppedPlan> stopped_plans(bool with_mini) {
    std::vector<StoppedPlan> all;
    for (const char* plan : {"deep", "puct", "paper"}) {
        for (const int threads : {1, 2}) {
            if (plan == std::string_view("paper") && threads > 1) continue;  // it uses one
            all.push_back({plan, threads, false});
            if (with_mini) all.push_back({plan, threads, true});
        }
    }
    return all;
}

Result<void> measure_inside(const BenchUciOptions& options, const std::string& mini, Rng& rng,
                            UciReport& report) {
    const auto swift = model::open({});
    if (!swift) return tl::unexpected(swift.error());
    const auto transformer = mini.empty() ? swift : model::open(mini);
    if (!transformer) return tl::unexpected(transformer.error());
    for (const StoppedPlan& plan : stopped_plans(!mini.empty())) {
        report.add("stop inside, " + plan.name(),
                   lab::measure_plan_stops(plan.mini ? *transformer : *swift, plan.settings(),
                                           options.stops, rng));
    }
    return {};
}

Result<void> measure_uci(const BenchUciOptions& options, const std::string& mini,
                         UciReport& report) {
    const auto stockfish = engine::find_stockfish();
    if (!stockfish) return tl::unexpected(stockfish.error());
    const UciContender peer{"stockfish", {*stockfish}, {}, 1};
    const auto peer_starts = measure_starts(peer, options.starts);
    if (!peer_starts) return tl::unexpected(peer_starts.error());
    report.add("start, stockfish", *peer_starts);
    const auto our_starts =
        measure_starts({"solis", {own_program().binary, "uci"}, {}}, options.starts);
    if (!our_starts) return tl::unexpected(our_starts.error());
    report.add("start, solis", *our_starts);

    Rng rng(Seed{options.seed});
    const auto peer_stops = measure_stops(peer, options.stops, rng);
    if (!peer_stops) return tl::unexpected(peer_stops.error());
    report.add("stop, stockfish", *peer_stops);
    std::optional<double> our_median;  // of the first, which is the default
    for (const StoppedPlan& plan : stopped_plans(!mini.empty())) {
        const auto times = measure_stops(plan.contender(mini), options.stops, rng);
        if (!times) return tl::unexpected(times.error());
        report.add("stop, solis " + plan.name(), *times);
        if (!our_median) our_median = times->wall.median();
    }
    if (auto ok = measure_inside(options, mini, rng, report); !ok) return ok;
    report.finish(peer_starts->cpu.median() / our_starts->cpu.median(),
                  peer_stops->wall.median() / *our_median);
    return {};
}

ExitCode run_bench_uci(const BenchUciOptions& options, Console& console) {
    const auto scratch = ScratchFolder::make();
    if (!scratch) return console.error(scratch.error());
    const std::string mini = options.no_transformer ? "" : (*scratch / "mini.safetensors").string();
    if (!mini.empty()) {
        if (auto ok = write_random_mini(mini); !ok) return console.error(ok.error());
    }
    UciReport report(console, options.json);
    const auto ok = measure_uci(options, mini, report);
    return ok ? ExitCode::Ok : console.error(ok.error());
}

}  // namespace

void add_bench_uci(Command& parent, Session& session) {
    const auto options = std::make_shared<BenchUciOptions>();
    Command* command = parent.add_subcommand(
        "uci", "the engine's time from start to readyok and from stop to bestmove");
    command->add_option("--starts", options->starts, "of each engine")
        ->range(1, 10'000)
        ->capture_default_str();
    command->add_option("--stops", options->stops, "of each engine and plan")
        ->range(1, 10'000)
        ->capture_default_str();
    command->add_flag("--no-transformer", options->no_transformer,
                      "leave out the plans with a transformer");
    command->add_option("--seed", options->seed, "of the moments of the stops")
        ->capture_default_str();
    add_json_flag(*command, options->json);
    command->callback(
        [options, &session] { session.exit_code = run_bench_uci(*options, session.console); });
}

}  // namespace solis::cli
