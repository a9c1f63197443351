// solis model measure: what a model is worth on positions that it was not trained on.
#include <memory>

#include <nlohmann/json.hpp>

#include "solis/cli/damage.h"
#include "solis/cli/model/held_out_report.h"
#include "solis/cli/model/model_options.h"
#include "solis/data/formats/format.h"
#include "solis/data/store/reader.h"
#include "solis/data/store/writer.h"
#include "solis/model/open.h"
#include "solis/train/validation.h"

namespace solis::cli {
namespace {

struct MeasureOptions {
    std::string model;
    std::string data;
    std::string format;
    std::string split;
    bool skip_damaged = false;
    train::TrainConfig config;  // sizes and seed of the sample
    bool json = false;
};

using SourceResult = Result<std::unique_ptr<data::GameSource>>;

SourceResult open_store(const MeasureOptions& options) {
    auto file = data::StoreFile::open(options.data);
    if (!file) return tl::unexpected(file.error());
    std::optional<data::Split> split;
    if (!options.split.empty()) {
        const auto named = data::split_from_name(options.split);
        if (!named) return tl::unexpected(named.error());
        split = *named;
    }
    return std::make_unique<data::StoreSource>(std::move(*file), on_damage(options.skip_damaged),
                                               split);
}

SourceResult open_data(const MeasureOptions& options) {
    if (options.format.empty() && options.data.ends_with(data::kStoreExtension)) {
        return open_store(options);
    }
    if (!options.split.empty()) return fail("--split is for stores", "import the data first");
    std::optional<data::Format> format;
    if (!options.format.empty()) {
        const auto named = data::format_from_name(options.format);
        if (!named) return tl::unexpected(named.error());
        format = *named;
    }
    return data::open_import({options.data}, format, 1);
}

ExitCode run_measure(const MeasureOptions& options, Console& console) {
    const auto model = model::open(options.model);
    if (!model) return console.error(model.error());
    const auto games = open_data(options);
    if (!games) return console.error(games.error());
    const auto set = train::ValidationSet::draw(**games, options.config);
    if (!set) return console.error(set.error());
    report_damage(console, set->skipped);
    const train::ValidationReport report = train::measure_model(**model, *set);
    if (!options.json) {
        print_held_out(report, console);
        return ExitCode::Ok;
    }
    nlohmann::ordered_json line{{"model", options.model}, {"data", options.data}};
    add_held_out(report, line);
    print_json(console, line);
    return ExitCode::Ok;
}

}  // namespace

void add_model_measure(Command& parent, Session& session) {
    const auto options = std::make_shared<MeasureOptions>();
    options->config.validation.positions = 20000;
    Command* command = parent.add_subcommand(
        "measure", "how well a model orders positions that it was not trained on");
    command->add_option("file", options->model, "model file (default: the embedded one)");
    command
        ->add_option("--data", options->data,
                     "labelled positions: a store, or any format of 'solis data import'")
        ->required();
    command->add_option("--format", options->format, "of the data, where its name does not tell");
    command->add_option("--split", options->split,
                        "of a store: only its train, validation or test games (default: all)");
    command->add_option("--positions", options->config.validation.positions, "how many to draw")
        ->range(2, 100'000'000)
        ->capture_default_str();
    command
        ->add_option("--moves", options->config.validation.moves,
                     "positions with ranked moves, and sets of siblings")
        ->range(0, 10'000'000)
        ->capture_default_str();
    command->add_option("--seed", options->config.run.seed, "of the draw")->capture_default_str();
    add_skip_damaged_flag(*command, options->skip_damaged);
    add_json_flag(*command, options->json);
    command->callback(
        [options, &session] { session.exit_code = run_measure(*options, session.console); });
}

}  // namespace solis::cli
