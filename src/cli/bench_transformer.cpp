// Positions per second of the transformer on one core, inference and training, beside the machine's
// multiply-add speed and, where a program for it is named, another implementation. CPU time.
#include "cli/bench_transformer.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include <nlohmann/json.hpp>

#include "cli/command.h"
#include "cli/cpu_time.h"
#include "data/tokenizer.h"
#include "engine/child_process.h"
#include "nn/fma_peak.h"
#include "nn/transformer_net.h"
#include "nn/transformer_reference.h"

namespace solis::cli {
namespace {

constexpr std::chrono::minutes kPeerPatience{10};

struct PeerSpeed {
    std::string name;
    double inference = 0, training = 0;
};

struct TransformerSpeed {
    std::size_t positions = 0;
    // Best times, in seconds.
    double inference = std::numeric_limits<double>::max();
    double training = std::numeric_limits<double>::max();
    double peak = 0;          // operations per second
    double least_cosine = 1;  // with the definition in plain loops
    std::optional<PeerSpeed> peer;

    [[nodiscard]] double rate(double seconds) const {
        return static_cast<double>(positions) / seconds;
    }
};

std::vector<std::uint8_t> random_tokens(const nn::TransformerShape& shape, std::size_t count) {
    Rng rng(Seed{1});
    std::vector<std::uint8_t> tokens(count * static_cast<std::size_t>(shape.tokens));
    for (std::uint8_t& token : tokens) {
        token = static_cast<std::uint8_t>(rng.below(
            static_cast<std::uint64_t>(data::vocabulary_size(data::Tokenizer::Deepmind))));
    }
    return tokens;
}

class TransformerBenchmark {
  public:
    explicit TransformerBenchmark(const nn::TransformerShape& shape)
        : net_(shape), packed_(shape, net_.weights()) {
        Rng rng(Seed{2});
        net_.weights().randomize(rng);
        packed_.pack(false, pool_);
        packed_.make_input_table(pool_);
        // About the same time for every size.
        const double wanted = 2e10 / nn::forward_operations(shape);
        measured_.positions = std::clamp<std::size_t>(static_cast<std::size_t>(wanted), 4, 64);
        tokens_ = random_tokens(shape, measured_.positions);
        z_.resize(measured_.positions * static_cast<std::size_t>(shape.dims));
        d_z_.assign(z_.size(), 0.01f);
        slice_ = std::make_unique<nn::TransformerSlice>(shape, measured_.positions, false);
    }

    // Each way in turn, so that all see the same disturbances.
    void run_round() {
        const double start = thread_cpu_seconds();
        const auto operations = static_cast<double>(nn::run_fma_loop(nn::kFmaRounds));
        measured_.peak = std::max(measured_.peak, operations / (thread_cpu_seconds() - start));
        time_best(measured_.inference, [&] { slice_->forward(packed_, tokens_, {}, 0, z_); });
        time_best(measured_.training, [&] {
            net_.forward(tokens_, {}, pool_, z_);
            net_.backward(d_z_, pool_);
        });
    }

    [[nodiscard]] TransformerSpeed& finish() {
        const auto dims = static_cast<std::size_t>(net_.shape().dims);
        const auto length = static_cast<std::size_t>(net_.shape().tokens);
        // The plain loops are slow: one position tells.
        const std::vector<double> exact = nn::transformer_reference(
            net_.shape(), net_.weights(), std::span(tokens_).first(length));
        slice_->forward(packed_, tokens_, {}, 0, z_);
        double cosine = 0;
        for (std::size_t i = 0; i < dims; ++i) cosine += exact[i] * static_cast<double>(z_[i]);
        measured_.least_cosine = cosine;
        return measured_;
    }

  private:
    ThreadPool pool_{1};
    nn::TransformerNet net_;
    nn::PackedTransformer packed_;
    std::unique_ptr<nn::TransformerSlice> slice_;
    std::vector<std::uint8_t> tokens_;
    std::vector<float> z_, d_z_;
    TransformerSpeed measured_;
};

Result<PeerSpeed> ask_peer(const TransformerBenchOptions& options) {
    const nn::TransformerShape& s = options.shape;
    std::vector<std::string> command{options.peer};
    for (const int size : {s.vocabulary, s.tokens, s.dims, s.heads, s.mlp, s.layers}) {
        command.push_back(std::to_string(size));
    }
    auto process = engine::ChildProcess::start(command);
    if (!process) return tl::unexpected(process.error());
    std::string_view line;
    if (process->read_line(line, engine::Clock::now() + kPeerPatience) != engine::IoStatus::Done) {
        return fail(fmt::format("'{}' gave no answer", options.peer),
                    "it prints one line of JSON, see scripts/torch-peer");
    }
    const auto json = nlohmann::json::parse(line, nullptr, false);
    if (!json.is_object() || !json.value("inference", nlohmann::json()).is_number() ||
        !json.value("training", nlohmann::json()).is_number()) {
        return fail(fmt::format("'{}' answered '{}', expected JSON with inference and training",
                                options.peer, line.substr(0, 80)));
    }
    return PeerSpeed{json.value("name", "peer"), json["inference"].get<double>(),
                     json["training"].get<double>()};
}

void report_json(const TransformerBenchOptions& options, const TransformerSpeed& m, double share,
                 Console& console) {
    nlohmann::ordered_json json{{"benchmark", "encoder"},
                                {"model", options.name},
                                {"parameters", nn::parameter_count(options.shape)},
                                {"embeddings_per_second", m.rate(m.inference)},
                                {"training_positions_per_second", m.rate(m.training)},
                                {"peak_operations_per_second", m.peak},
                                {"least_cosine", m.least_cosine},
                                {"ratio", share}};
    if (m.peer) {
        json["peer"] = m.peer->name;
        json["inference_ratio"] = m.rate(m.inference) / m.peer->inference;
        json["training_ratio"] = m.rate(m.training) / m.peer->training;
    }
    print_json(console, json);
}

void report(const TransformerBenchOptions& options, const TransformerSpeed& m, Console& console) {
    // Of the definition's work: what is saved on the way counts as done.
    const double work = nn::forward_operations(options.shape);
    const double share = work * m.rate(m.inference) / m.peak;
    if (options.json) return report_json(options, m, share, console);
    console.print("{}: {} parameters, {:.0f} million operations per position; one core\n",
                  options.name, nn::parameter_count(options.shape), work / 1e6);
    console.print(
        "inference  {:>8.1f} positions/s, {:.2f} of the multiply-add peak ({:.0f} GF/s)\n",
        m.rate(m.inference), share, m.peak / 1e9);
    console.print("training   {:>8.1f} positions/s, {:.2f} of the peak\n", m.rate(m.training),
                  3 * work * m.rate(m.training) / m.peak);
    console.print("cosine with the definition in plain loops {:.8f}\n", m.least_cosine);
    if (m.peer) {
        console.print("{}: inference {:.1f}, training {:.1f} positions/s on one core\n",
                      m.peer->name, m.peer->inference, m.peer->training);
        console.print("ratio {:.2f} inference, {:.2f} training\n",
                      m.rate(m.inference) / m.peer->inference,
                      m.rate(m.training) / m.peer->training);
    }
}

}  // namespace

ExitCode run_transformer_bench(const TransformerBenchOptions& options, Console& console) {
    TransformerBenchmark benchmark(options.shape);
    for (int round = 0; round < options.rounds; ++round) benchmark.run_round();
    TransformerSpeed& measured = benchmark.finish();
    if (!options.peer.empty()) {
        const auto peer = ask_peer(options);
        if (!peer) return console.error(peer.error());
        measured.peer = *peer;
    }
    report(options, measured, console);
    return ExitCode::Ok;
}

}  // namespace solis::cli
