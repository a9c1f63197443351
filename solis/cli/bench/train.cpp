// solis bench train: positions per second of a training step, and how much of the machine's
// multiply-add speed it uses. Both in CPU time on the same threads, in the same run.
#include <algorithm>
#include <array>
#include <chrono>
#include <limits>
#include <memory>

#include <nlohmann/json.hpp>

#include "solis/base/cpu_time.h"
#include "solis/chess/random_positions.h"
#include "solis/cli/bench/benchmarks.h"
#include "solis/data/inputs/swift_features.h"
#include "solis/nn/kernels/fma_peak.h"
#include "solis/nn/optimizer.h"
#include "solis/train/config_fields.h"
#include "solis/train/loss.h"
#include "solis/train/trainable.h"

namespace solis::cli {
namespace {

using chess::Position;

constexpr std::size_t kBatches = 8;
constexpr int kPliesPerGame = 80;

struct BenchTrainOptions {
    train::TrainConfig config;
    std::string loss = "supcon";
    int rounds = 10;
    bool json = false;
};

enum Stage : std::size_t { kForward, kLoss, kBackward, kOptimizer, kStages };
constexpr std::array<const char*, kStages> kStageNames{"forward", "loss", "backward", "optimizer"};

struct TrainSpeed {
    std::size_t positions = 0;  // in one round
    double wall = 0;            // seconds of the best round
    double cpu = std::numeric_limits<double>::max();
    std::array<double, kStages> stages{};  // CPU seconds of the best round
    double operations = 0;                 // of one round
    double peak = 0;                       // operations per CPU second

    [[nodiscard]] double share() const { return operations / cpu / peak; }
    [[nodiscard]] double per_wall_second() const { return static_cast<double>(positions) / wall; }
    [[nodiscard]] double per_cpu_second() const { return static_cast<double>(positions) / cpu; }
};

std::vector<Position> random_positions(Rng& rng, std::size_t count) {
    std::vector<Position> positions;
    chess::RandomWalk walk(rng, kPliesPerGame);
    while (positions.size() < count) {
        const Position& position = walk.next();
        // A few of each game, as a shuffled store gives them.
        if (rng.chance(0.1)) positions.push_back(position);
    }
    return positions;
}

// Additions and multiplications that a step needs: input rows and their gradients, the output
// layer three times, and the loss's two products. The optimiser and exponentials are not counted.
double operations_of(const train::TrainConfig& config, std::span<const Position> positions) {
    const data::SwiftFeatureSet features = config.encoder.features;
    double active = 0;
    for (const Position& position : positions) {
        const data::SwiftBoard board(features, position);
        for (const chess::Bitboard plane : board.planes) active += 2.0 * chess::count(plane);
        if (!data::has_contacts(features)) continue;
        for (const chess::Bitboard squares : board.contacts) active += 2.0 * chess::count(squares);
        if (!data::has_danger(features)) continue;
        for (const data::KingDanger danger : board.dangers) active += 2.0 * chess::count(danger);
    }
    const auto rows = static_cast<double>(positions.size());
    const auto dims = static_cast<double>(config.encoder.dims);
    const auto accumulators = static_cast<double>(config.encoder.accumulators);
    const double hidden =
        config.encoder.activation == nn::SwiftActivation::Pairs ? accumulators : 2 * accumulators;
    const double inputs = 2 * active * accumulators;
    const double outputs = 3 * 2 * rows * hidden * dims;
    const double loss = 2 * 2 * rows * static_cast<double>(config.run.batch) * dims;
    return inputs + outputs + loss;
}

class TrainBenchmark {
  public:
    TrainBenchmark(const BenchTrainOptions& options, train::TrainableEncoder& encoder)
        : config_(options.config),
          batch_(static_cast<std::size_t>(config_.run.batch)),
          pool_(static_cast<std::size_t>(config_.run.threads)),
          encoder_(encoder),
          loss_(config_),
          parameters_(encoder.parameters()),
          gradients_(encoder.gradients()),
          optimizer_({}, parameters_),
          z_(batch_ * encoder.dims()),
          d_z_(z_.size()) {
        Rng rng(Seed{1});
        positions_ = random_positions(rng, kBatches * batch_);
        for (std::size_t i = 0; i < positions_.size(); ++i) {
            labels_.push_back(static_cast<float>(rng.unit()));
        }
        measured_.positions = positions_.size();
        measured_.operations = operations_of(config_, positions_);
    }

    void run_round() {
        measure_peak();
        const auto start = std::chrono::steady_clock::now();
        std::array<double, kStages> stages{};
        for (std::size_t b = 0; b < kBatches; ++b) step(b * batch_, stages);
        const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - start;
        double cpu = 0;
        for (const double seconds : stages) cpu += seconds;
        if (cpu >= measured_.cpu) return;
        measured_.cpu = cpu;
        measured_.wall = wall.count();
        measured_.stages = stages;
    }

    [[nodiscard]] const TrainSpeed& measured() const { return measured_; }
    [[nodiscard]] std::size_t threads() const { return pool_.threads(); }

  private:
    // All threads at once, as in training: they may share the units of one core.
    void measure_peak() {
        const double start = process_cpu_seconds();
        std::vector<std::uint64_t> done(pool_.threads());
        pool_.run(done.size(), [&](std::size_t i) { done[i] = nn::run_fma_loop(nn::kFmaRounds); });
        const double seconds = process_cpu_seconds() - start;
        double operations = 0;
        for (const std::uint64_t count : done) operations += static_cast<double>(count);
        measured_.peak = std::max(measured_.peak, operations / seconds);
    }

    void step(std::size_t first, std::array<double, kStages>& stages) {
        double last = process_cpu_seconds();
        const auto lap = [&](Stage stage) {
            const double now = process_cpu_seconds();
            stages[stage] += now - last;
            last = now;
        };
        encoder_.forward(std::span(positions_).subspan(first, batch_), pool_, z_);
        lap(kForward);
        (void)loss_(z_, std::span(labels_).subspan(first, batch_), encoder_.dims(), pool_, d_z_);
        lap(kLoss);
        encoder_.backward(d_z_, pool_);
        lap(kBackward);
        optimizer_.step(parameters_, gradients_,
                        static_cast<float>(config_.optimizer.learning_rate), 1, pool_);
        lap(kOptimizer);
    }

    const train::TrainConfig& config_;
    std::size_t batch_;
    ThreadPool pool_;
    train::TrainableEncoder& encoder_;
    train::Loss loss_;
    std::vector<nn::Tensor*> parameters_, gradients_;
    nn::Optimizer optimizer_;
    std::vector<Position> positions_;
    std::vector<float> labels_;
    std::vector<float> z_, d_z_;
    TrainSpeed measured_;
};

nlohmann::ordered_json to_json(const BenchTrainOptions& options, const TrainSpeed& m,
                               std::size_t threads) {
    nlohmann::ordered_json json{{"benchmark", "train"},
                                {"peer", "fused multiply-adds in registers"},
                                {"loss", options.loss},
                                {"batch", options.config.run.batch},
                                {"threads", threads},
                                {"positions_per_second", m.per_wall_second()},
                                {"positions_per_cpu_second", m.per_cpu_second()},
                                {"operations_per_cpu_second", m.operations / m.cpu},
                                {"peak_operations_per_cpu_second", m.peak}};
    for (std::size_t s = 0; s < kStages; ++s) {
        json["cpu_share"][kStageNames[s]] = m.stages[s] / m.cpu;
    }
    json["ratio"] = m.share();
    return json;
}

void print(const BenchTrainOptions& options, const TrainSpeed& m, std::size_t threads,
           Console& console) {
    console.print("{}, batch {}, {} threads: {:.0f} positions/s, {:.0f} per CPU second\n",
                  options.loss, options.config.run.batch, threads, m.per_wall_second(),
                  m.per_cpu_second());
    console.print("CPU time:");
    for (std::size_t s = 0; s < kStages; ++s) {
        console.print(" {} {:.0f} %{}", kStageNames[s], 100 * m.stages[s] / m.cpu,
                      s + 1 < kStages ? "," : "\n");
    }
    console.print("{:.1f} billion operations per CPU second; in registers {:.1f}\n",
                  m.operations / m.cpu / 1e9, m.peak / 1e9);
    console.print("ratio {:.2f}  share of the multiply-add peak\n", m.share());
}

ExitCode run_bench_train(const BenchTrainOptions& options, Console& console) {
    Rng rng(Seed{1});
    const auto encoder = train::make_trainable(options.config, rng);
    if (!encoder) return console.error(encoder.error());
    TrainBenchmark benchmark(options, **encoder);
    for (int round = 0; round < options.rounds; ++round) benchmark.run_round();
    if (options.json) {
        print_json(console, to_json(options, benchmark.measured(), benchmark.threads()));
    } else {
        print(options, benchmark.measured(), benchmark.threads(), console);
    }
    return ExitCode::Ok;
}

}  // namespace

void add_bench_train(Command& parent, Session& session) {
    const auto options = std::make_shared<BenchTrainOptions>();
    Command* command =
        parent.add_subcommand("train", "a training step beside the machine's multiply-add peak");
    command->add_option("--loss", options->loss, "supcon, soft or rnc")
        ->one_of({"supcon", "soft", "rnc"})
        ->capture_default_str();
    command->add_option("--batch", options->config.run.batch, "positions per step")
        ->range(8, 65536)
        ->capture_default_str();
    command->add_option("--threads", options->config.run.threads, "0: one per core")
        ->range(0, 1024)
        ->capture_default_str();
    command->add_option("--rounds", options->rounds, "of 8 steps; the fastest counts")
        ->range(1, 1000)
        ->capture_default_str();
    add_json_flag(*command, options->json);
    command->parse_complete_callback([options] {
        options->config.loss.kind = train::choice_from_name<train::LossKind>(options->loss)
                                        .value_or(train::LossKind::SupCon);
    });
    command->callback(
        [options, &session] { session.exit_code = run_bench_train(*options, session.console); });
}

}  // namespace solis::cli
