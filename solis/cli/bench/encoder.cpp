// solis bench encoder: which encoder is measured, and what it is measured with.
#include <memory>

#include "solis/cli/bench/benchmarks.h"
#include "solis/cli/bench/swift.h"
#include "solis/cli/bench/transformer.h"
#include "solis/train/trainable.h"

namespace solis::cli {
namespace {

struct BenchEncoderOptions {
    std::string model;
    std::string preset;
    std::string peer;
    int trees = 50;
    int rounds = 5;
    std::uint64_t seed = 1;
    bool json = false;
};

Result<model::ModelFile> load_or_make_model(const BenchEncoderOptions& options) {
    if (!options.model.empty()) return model::load_model(options.model);
    Rng rng(Seed{options.seed});
    auto encoder = train::make_trainable(train::TrainConfig{}, rng);
    if (!encoder) return tl::unexpected(encoder.error());
    return (*encoder)->to_model();
}

// A transformer by name, or the one of a model.
ExitCode bench_transformer(const BenchEncoderOptions& options, const std::string& name,
                           const nn::TransformerShape& shape, const model::ModelFile* model,
                           Console& console) {
    return run_transformer_bench(
        {name, shape, 2 * options.trees, options.rounds, options.peer, options.json, model},
        console);
}

ExitCode run_bench_encoder(const BenchEncoderOptions& options, Console& console) {
    if (!options.preset.empty()) {
        const auto shape = nn::transformer_preset(options.preset);
        if (!shape) return console.error(shape.error(), ExitCode::Usage);
        return bench_transformer(options, options.preset, *shape, nullptr, console);
    }
    const auto model = load_or_make_model(options);
    if (!model) return console.error(model.error());
    if (model->process() != nullptr) {
        return console.error(
            {fmt::format("'{}' has no weights: its encoder is a program of its own", options.model),
             ""});
    }
    if (const auto* transformer = model->transformer()) {
        return bench_transformer(options, options.model, transformer->shape, &*model, console);
    }
    return run_swift_bench(
        {options.model, options.trees, options.rounds, options.seed, options.json}, *model,
        console);
}

}  // namespace

void add_bench_encoder(Command& parent, Session& session) {
    const auto options = std::make_shared<BenchEncoderOptions>();
    Command* command = parent.add_subcommand(
        "encoder", "encoders on one core: swift in planning trees, or a transformer with --preset");
    command->add_option("--model", options->model,
                        "model file (default: random weights, the usual shape)");
    command->add_option("--preset", options->preset, "a transformer instead: mini or base");
    command->add_option("--peer", options->peer,
                        "transformers: program that measures another implementation "
                        "(scripts/torch-peer)");
    command
        ->add_option(
            "--trees", options->trees,
            "openings that are planned from; a transformer's siblings have twice as many parents")
        ->range(1, 10000)
        ->capture_default_str();
    command->add_option("--rounds", options->rounds, "the fastest counts")
        ->range(1, 100)
        ->capture_default_str();
    command->add_option("--seed", options->seed, "of the openings")->capture_default_str();
    add_json_flag(*command, options->json);
    command->callback(
        [options, &session] { session.exit_code = run_bench_encoder(*options, session.console); });
}

}  // namespace solis::cli
