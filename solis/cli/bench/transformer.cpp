// Positions per second of the transformer on one core, inference and training, beside the machine's
// multiply-add speed and, where a program for it is named, another implementation. CPU time.
#include "solis/cli/bench/transformer.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "solis/base/cpu_time.h"
#include "solis/chess/random_positions.h"
#include "solis/cli/bench/transformer_siblings.h"
#include "solis/cli/command.h"
#include "solis/data/inputs/tokenizer.h"
#include "solis/engine/client/child_process.h"
#include "solis/nn/kernels/fma_peak.h"
#include "solis/nn/transformer/net.h"
#include "solis/nn/transformer/reference.h"

namespace solis::cli {
namespace {

constexpr std::chrono::minutes kPeerPatience{10};

struct PeerSpeed {
    std::string name;
    double inference = 0;
    double training = 0;  // 0: it does not train
};

struct TransformerSpeed {
    std::size_t positions = 0;
    // Best times, in seconds.
    double inference = std::numeric_limits<double>::max();
    double integer = std::numeric_limits<double>::max();  // inference in 16-bit integers
    double bytes = std::numeric_limits<double>::max();    // as planners use it
    double training = std::numeric_limits<double>::max();
    double bf16_training = std::numeric_limits<double>::max();
    double peak = 0;  // operations per second
    // With the definition in plain loops.
    double cosine = 1;
    double integer_cosine = 1;
    double byte_cosine = 1;
    std::optional<SiblingOrder> integer_siblings, siblings;
    std::optional<PeerSpeed> peer;

    [[nodiscard]] double rate(double seconds) const {
        return static_cast<double>(positions) / seconds;
    }
};

// Tokens of the positions of random games: what squares hold is not as random as it could be, and
// the first layer makes use of that.
std::vector<std::uint8_t> random_tokens(std::size_t count) {
    Rng rng(Seed{1});
    std::vector<std::uint8_t> tokens;
    chess::RandomWalk walk(rng);
    while (tokens.size() < count * data::kTokenCount) {
        const data::Tokens own = data::tokenize(walk.next(), data::Tokenizer::Deepmind);
        tokens.insert(tokens.end(), own.begin(), own.end());
    }
    return tokens;
}

class TransformerBenchmark {
  public:
    TransformerBenchmark(const nn::TransformerShape& shape, const model::ModelFile* model)
        : net_(shape),
          bf16_net_(shape, nn::Precision::BFloat16),
          packed_(packed_from(shape, model, nn::InferencePrecision::Float)),
          integers_(packed_from(shape, model, nn::InferencePrecision::Integers)),
          bytes_(packed_from(shape, model, nn::InferencePrecision::Bytes)) {
        net_.weights() = weights_of(shape, model);
        bf16_net_.weights() = net_.weights();
        // About the same time for every size.
        const double wanted = 2e10 / nn::forward_operations(shape);
        measured_.positions = std::clamp<std::size_t>(static_cast<std::size_t>(wanted), 4, 64);
        tokens_ = random_tokens(measured_.positions);
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
        time_best(measured_.integer, [&] { slice_->forward(integers_, tokens_, {}, 0, z_); });
        time_best(measured_.bytes, [&] { slice_->forward(bytes_, tokens_, {}, 0, z_); });
        time_best(measured_.training, [&] { train(net_); });
        time_best(measured_.bf16_training, [&] { train(bf16_net_); });
    }

    // The children of so many parents.
    void compare_scores(const model::ModelFile& model, int parents) {
        const auto compare = [&](const nn::PackedTransformer& integers) {
            return compare_siblings(packed_, integers, model.transformer()->tokenizer,
                                    model.axis->direction, static_cast<std::size_t>(parents));
        };
        measured_.integer_siblings = compare(integers_);
        measured_.siblings = compare(bytes_);
    }

    [[nodiscard]] TransformerSpeed& finish() {
        const auto length = static_cast<std::size_t>(net_.shape().tokens);
        // The plain loops are slow: one position tells.
        const std::vector<double> exact = nn::transformer_reference(
            net_.shape(), net_.weights(), std::span(tokens_).first(length));
        measured_.cosine = cosine_with(exact, packed_);
        measured_.integer_cosine = cosine_with(exact, integers_);
        measured_.byte_cosine = cosine_with(exact, bytes_);
        return measured_;
    }

  private:
    // Random ones without a model.
    static nn::TransformerWeights weights_of(const nn::TransformerShape& shape,
                                             const model::ModelFile* model) {
        if (model != nullptr) return model->transformer()->weights;
        nn::TransformerWeights weights(shape);
        Rng rng(Seed{2});
        weights.randomize(rng);
        return weights;
    }
    nn::PackedTransformer packed_from(const nn::TransformerShape& shape,
                                      const model::ModelFile* model,
                                      nn::InferencePrecision precision) {
        return nn::PackedTransformer::for_inference(shape, weights_of(shape, model), precision,
                                                    pool_);
    }

    void train(nn::TransformerNet& net) {
        net.forward(tokens_, {}, pool_, z_);
        net.backward(d_z_, pool_);
    }

    double cosine_with(std::span<const double> exact, const nn::PackedTransformer& packed) {
        slice_->forward(packed, tokens_, {}, 0, z_);
        double cosine = 0;
        for (std::size_t i = 0; i < exact.size(); ++i) {
            cosine += exact[i] * static_cast<double>(z_[i]);
        }
        return cosine;
    }

    ThreadPool pool_{1};
    nn::TransformerNet net_, bf16_net_;
    nn::PackedTransformer packed_, integers_, bytes_;
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
    const auto number = [&](const char* key) {
        const auto value = json.is_object() ? json.value(key, nlohmann::json()) : nlohmann::json();
        return value.is_number() ? value.get<double>() : 0.0;
    };
    if (!(number("inference") > 0)) {
        return fail(fmt::format("'{}' answered '{}', expected JSON with inference", options.peer,
                                line.substr(0, 80)));
    }
    return PeerSpeed{json.value("name", "peer"), number("inference"), number("training")};
}

nlohmann::ordered_json siblings_json(const SiblingOrder& s) {
    return {{"positions", s.positions},     {"pairs", s.pairs},
            {"in_order", s.share()},        {"parents", s.parents},
            {"same_best", s.same_best},     {"least_cosine", s.least_cosine},
            {"mean_cosine", s.mean_cosine}, {"largest_difference", s.largest_difference}};
}

void report_json(const TransformerBenchOptions& options, const TransformerSpeed& m, double share,
                 Console& console) {
    nlohmann::ordered_json json{{"benchmark", "encoder"},
                                {"model", options.name},
                                {"parameters", nn::parameter_count(options.shape)},
                                {"embeddings_per_second", m.rate(m.inference)},
                                {"integer_embeddings_per_second", m.rate(m.integer)},
                                {"byte_embeddings_per_second", m.rate(m.bytes)},
                                {"training_positions_per_second", m.rate(m.training)},
                                {"bf16_training_positions_per_second", m.rate(m.bf16_training)},
                                {"peak_operations_per_second", m.peak},
                                {"least_cosine", m.cosine},
                                {"integer_cosine", m.integer_cosine},
                                {"byte_cosine", m.byte_cosine},
                                {"ratio", share}};
    if (m.peer) {
        json["peer"] = m.peer->name;
        json["inference_ratio"] = m.rate(m.inference) / m.peer->inference;
        json["integer_ratio"] = m.rate(m.integer) / m.peer->inference;
        json["byte_ratio"] = m.rate(m.bytes) / m.peer->inference;
        if (m.peer->training > 0) {
            json["training_ratio"] = m.rate(m.training) / m.peer->training;
            json["bf16_training_ratio"] = m.rate(m.bf16_training) / m.peer->training;
        }
    }
    if (m.integer_siblings) json["integer_siblings"] = siblings_json(*m.integer_siblings);
    if (m.siblings) json["siblings"] = siblings_json(*m.siblings);
    print_json(console, json);
}

void report_siblings(std::string_view name, const SiblingOrder& s, Console& console) {
    console.print(
        "{} beside floats on {} children of {} positions: cosine {:.7f} at least, {:.7f} on "
        "average\n{:.3f} % of {} pairs of siblings in the same order, the best child is the same "
        "for {} of {}; scores differ by {:.1e} at most\n",
        name, s.positions, s.parents, s.least_cosine, s.mean_cosine, 100 * s.share(), s.pairs,
        s.same_best, s.parents, s.largest_difference);
}

void report_peer(const TransformerSpeed& m, Console& console) {
    console.print("{}: inference {:.1f}", m.peer->name, m.peer->inference);
    if (m.peer->training > 0) console.print(", training {:.1f}", m.peer->training);
    console.print(
        " positions/s on one core\nratio {:.2f} inference, {:.2f} in 16 bits, {:.2f} in 8 bits",
        m.rate(m.inference) / m.peer->inference, m.rate(m.integer) / m.peer->inference,
        m.rate(m.bytes) / m.peer->inference);
    if (m.peer->training > 0) {
        console.print(", {:.2f} training, {:.2f} in bf16", m.rate(m.training) / m.peer->training,
                      m.rate(m.bf16_training) / m.peer->training);
    }
    console.print("\n");
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
    console.print("  16 bits  {:>8.1f}\n", m.rate(m.integer));
    console.print("  8 bits   {:>8.1f}, as planners use it{}\n", m.rate(m.bytes),
                  nn::has_fast_bytes() ? "" : " (16 bits: this machine has no instructions for 8)");
    console.print("training   {:>8.1f} positions/s, {:.2f} of the peak\n", m.rate(m.training),
                  3 * work * m.rate(m.training) / m.peak);
    console.print("  bf16     {:>8.1f}{}\n", m.rate(m.bf16_training),
                  nn::has_fast_bf16() ? "" : " (this machine has no instructions for it)");
    console.print(
        "cosine with the definition in plain loops {:.8f}, of 16 bits {:.8f}, of 8 bits {:.8f}\n",
        m.cosine, m.integer_cosine, m.byte_cosine);
    if (m.integer_siblings) report_siblings("16 bits", *m.integer_siblings, console);
    if (m.siblings) report_siblings("8 bits", *m.siblings, console);
    if (m.peer) report_peer(m, console);
}

}  // namespace

ExitCode run_transformer_bench(const TransformerBenchOptions& options, Console& console) {
    TransformerBenchmark benchmark(options.shape, options.model);
    for (int round = 0; round < options.rounds; ++round) benchmark.run_round();
    if (options.model != nullptr && options.model->axis) {
        benchmark.compare_scores(*options.model, options.parents);
    }
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
