// Embeddings per second of the integer encoder in planning trees, beside the float network on the
// same positions. One core, CPU time.
#include "solis/cli/bench/swift.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <numeric>

#include <nlohmann/json.hpp>

#include "solis/base/cpu_time.h"
#include "solis/chess/random_positions.h"
#include "solis/cli/command.h"
#include "solis/model/swift_evaluator.h"
#include "solis/model/swift_reach.h"
#include "solis/nn/kernels/vector_kernels.h"
#include "solis/train/trainable.h"

namespace solis::cli {
namespace {

using chess::Position;

constexpr int kPliesBefore = 12;
constexpr int kDepth = 4;
constexpr std::size_t kWidth = 3;
constexpr std::size_t kFloatBatch = 256;

// A position of a planning tree with all its children.
struct Expansion {
    Position parent;
    std::vector<Position> children;
};

struct Comparison {
    double least_cosine = 1;
    double mean_cosine = 0;
    double rank_agreement = 0;  // share of pairs of siblings in the same order
};

struct EncoderSpeed {
    std::size_t expansions = 0;
    std::size_t embeddings = 0;
    // Best times, in seconds.
    double planning = std::numeric_limits<double>::max();  // moves and choice included
    double integer = std::numeric_limits<double>::max();
    double floating = std::numeric_limits<double>::max();
    Comparison comparison;

    [[nodiscard]] double rate(double seconds) const {
        return static_cast<double>(embeddings) / seconds;
    }
};

std::vector<Position> openings(const SwiftBenchOptions& options) {
    Rng rng(Seed{options.seed});
    std::vector<Position> found;
    while (found.size() < static_cast<std::size_t>(options.trees)) {
        found.push_back(chess::random_opening(kPliesBefore, rng).position());
    }
    return found;
}

// Expands the best children of the best, and calls expanded() for each expansion.
template <class Expanded>
void plan(const Position& position, int depth, model::SwiftEvaluator& evaluator,
          Expanded&& expanded) {
    if (depth == 0) return;
    Expansion expansion{position, {}};
    for (const chess::Move move : chess::legal_moves(position)) {
        expansion.children.push_back(position.after(move));
    }
    std::vector<float> scores(expansion.children.size());
    evaluator.score_children(position, expansion.children, scores);
    std::vector<std::size_t> best(scores.size());
    std::iota(best.begin(), best.end(), std::size_t{0});
    const std::size_t width = std::min(kWidth, best.size());
    // Children are seen by the opponent: the mover wants them low.
    std::partial_sort(best.begin(), best.begin() + static_cast<std::ptrdiff_t>(width), best.end(),
                      [&](std::size_t a, std::size_t b) { return scores[a] < scores[b]; });
    best.resize(width);
    expanded(expansion);
    for (const std::size_t child : best) {
        plan(expansion.children[child], depth - 1, evaluator, expanded);
    }
}

// The axis of the model, or any direction where it has none: speed does not depend on it.
std::vector<float> axis_of(const model::ModelFile& model, Seed seed) {
    if (model.axis) return model.axis->direction;
    Rng rng(seed);
    std::vector<float> axis(model.dims());
    for (float& value : axis) value = static_cast<float>(2 * rng.unit() - 1);
    const float length = std::sqrt(nn::dot(axis, axis));
    for (float& value : axis) value /= length;
    return axis;
}

// The float network with the weights of the model.
Result<std::unique_ptr<train::TrainableEncoder>> float_network(const model::SwiftEncoder& from) {
    train::TrainConfig config;
    config.encoder.features = from.features;
    config.encoder.activation = from.shape.activation;
    config.encoder.accumulators = from.shape.accumulators;
    config.encoder.dims = from.shape.dims;
    config.encoder.buckets = from.shape.buckets;
    config.encoder.tail = from.shape.tail;
    Rng rng(Seed{0});
    auto encoder = train::make_trainable(config, rng);
    if (!encoder) return encoder;
    const std::vector<const nn::Tensor*> tensors = from.weights.tensors();
    const std::vector<nn::Tensor*> parameters = (*encoder)->parameters();
    for (std::size_t i = 0; i < parameters.size(); ++i) *parameters[i] = *tensors[i];
    return encoder;
}

// Pairs of siblings that both score in the same order, and all pairs that the float network does
// not score alike.
void count_pairs(std::span<const float> exact, std::span<const float> scores, std::size_t& agreeing,
                 std::size_t& all) {
    for (std::size_t i = 0; i < exact.size(); ++i) {
        for (std::size_t j = 0; j < i; ++j) {
            if (exact[i] == exact[j]) continue;
            ++all;
            agreeing += scores[i] != scores[j] && (exact[i] < exact[j]) == (scores[i] < scores[j]);
        }
    }
}

class EncoderBenchmark {
  public:
    EncoderBenchmark(const SwiftBenchOptions& options, const model::ModelFile& model,
                     const nn::SwiftInteger& integer, train::TrainableEncoder& floating)
        : roots_(openings(options)),
          axis_(axis_of(model, Seed{options.seed})),
          evaluator_(integer, model.swift()->features, axis_),
          floating_(floating),
          z_(kFloatBatch * axis_.size()) {
        for (const Position& root : roots_) {
            plan(root, kDepth, evaluator_, [&](const Expansion& e) { tree_.push_back(e); });
        }
        measured_.expansions = tree_.size();
        for (const Expansion& expansion : tree_) {
            children_.insert(children_.end(), expansion.children.begin(), expansion.children.end());
        }
        measured_.embeddings = children_.size();
        scores_.resize(children_.size());
        exact_.resize(children_.size());
    }

    // Each way in turn, so that all see the same disturbances.
    void run_round() {
        time_best(measured_.planning, [&] {
            for (const Position& root : roots_) {
                plan(root, kDepth, evaluator_, [](const Expansion&) {});
            }
        });
        time_best(measured_.integer, [&] { score_with_integers(); });
        time_best(measured_.floating, [&] { score_with_floats(); });
    }

    [[nodiscard]] EncoderSpeed finish() {
        compare();
        return measured_;
    }

  private:
    void score_with_integers() {
        std::size_t at = 0;
        for (const Expansion& e : tree_) {
            evaluator_.score_children(e.parent, e.children,
                                      std::span(scores_).subspan(at, e.children.size()));
            at += e.children.size();
        }
    }

    template <class Use>
    void embed_with_floats(Use&& use) {
        const std::size_t dims = axis_.size();
        for (std::size_t at = 0; at < children_.size(); at += kFloatBatch) {
            const std::size_t count = std::min(kFloatBatch, children_.size() - at);
            const std::span<float> z = std::span(z_).first(count * dims);
            floating_.forward(std::span(children_).subspan(at, count), pool_, z);
            for (std::size_t i = 0; i < count; ++i) use(at + i, z.subspan(i * dims, dims));
        }
    }
    void score_with_floats() {
        embed_with_floats(
            [&](std::size_t i, std::span<const float> z) { exact_[i] = nn::dot(z, axis_); });
    }

    void compare() {
        Comparison& c = measured_.comparison;
        std::vector<float> own(axis_.size());
        embed_with_floats([&](std::size_t i, std::span<const float> z) {
            evaluator_.embed(children_[i], own);
            const auto cosine = static_cast<double>(nn::dot(z, own));
            c.least_cosine = std::min(c.least_cosine, cosine);
            c.mean_cosine += cosine / static_cast<double>(children_.size());
        });
        std::size_t at = 0, agreeing = 0, all = 0;
        for (const Expansion& e : tree_) {
            count_pairs(std::span(exact_).subspan(at, e.children.size()),
                        std::span(scores_).subspan(at, e.children.size()), agreeing, all);
            at += e.children.size();
        }
        c.rank_agreement =
            static_cast<double>(agreeing) / static_cast<double>(std::max(all, std::size_t{1}));
    }

    std::vector<Position> roots_;
    std::vector<float> axis_;
    model::SwiftEvaluator evaluator_;
    train::TrainableEncoder& floating_;
    ThreadPool pool_{1};
    std::vector<Expansion> tree_;  // in the order in which a planner meets them
    std::vector<Position> children_;
    std::vector<float> scores_, exact_, z_;
    EncoderSpeed measured_;
};

void report(const SwiftBenchOptions& options, const model::SwiftEncoder& encoder,
            const EncoderSpeed& m, Console& console) {
    const double ratio = m.floating / m.integer;
    const Comparison& c = m.comparison;
    if (options.json) {
        print_json(console, {{"benchmark", "encoder"},
                             {"peer", "float network"},
                             {"model", options.name.empty() ? "random" : options.name},
                             {"features", data::name_of(encoder.features)},
                             {"accumulators", encoder.shape.accumulators},
                             {"dims", encoder.shape.dims},
                             {"expansions", m.expansions},
                             {"embeddings", m.embeddings},
                             {"embeddings_per_second", m.rate(m.integer)},
                             {"planning_embeddings_per_second", m.rate(m.planning)},
                             {"peer_embeddings_per_second", m.rate(m.floating)},
                             {"least_cosine", c.least_cosine},
                             {"mean_cosine", c.mean_cosine},
                             {"rank_agreement", c.rank_agreement},
                             {"ratio", ratio}});
        return;
    }
    console.print("{} network, {}, {} accumulators, {} dimensions; {} positions expanded\n",
                  options.name.empty() ? "random" : "given", data::name_of(encoder.features),
                  encoder.shape.accumulators, encoder.shape.dims, m.expansions);
    console.print("integers, move by move    {:>10.0f} embeddings/s on one core\n",
                  m.rate(m.integer));
    console.print("  with moves and choice   {:>10.0f}\n", m.rate(m.planning));
    console.print("floats, batches of {}    {:>10.0f}\n", kFloatBatch, m.rate(m.floating));
    console.print(
        "cosine of both {:.5f} at least, {:.5f} on average; {:.2f} % of siblings in the "
        "same order\n",
        c.least_cosine, c.mean_cosine, 100 * c.rank_agreement);
    console.print("ratio {:.2f}  integers to floats\n", ratio);
}

}  // namespace

ExitCode run_swift_bench(const SwiftBenchOptions& options, const model::ModelFile& model,
                         Console& console) {
    const model::SwiftEncoder& encoder = *model.swift();
    const nn::InputBounds bounds = model::input_bounds(encoder.features, encoder.weights);
    const auto integer = nn::SwiftInteger::quantize(encoder.shape, encoder.weights, bounds);
    if (!integer) return console.error(integer.error());
    const auto floating = float_network(encoder);
    if (!floating) return console.error(floating.error());
    EncoderBenchmark benchmark(options, model, *integer, **floating);
    for (int round = 0; round < options.rounds; ++round) benchmark.run_round();
    report(options, encoder, benchmark.finish(), console);
    return ExitCode::Ok;
}

}  // namespace solis::cli
