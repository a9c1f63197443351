// solis model average: the mean of models that were trained from the same start.
#include <memory>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "solis/cli/model/model_options.h"
#include "solis/cli/version.h"
#include "solis/model/average.h"

namespace solis::cli {
namespace {

struct AverageOptions {
    std::vector<std::string> files;
    std::string out;
    Existing existing = Existing::Refuse;
    bool json = false;
};

ExitCode run_average(const AverageOptions& options, Console& console) {
    std::vector<model::ModelFile> models;
    for (const std::string& file : options.files) {
        auto model = model::load_model(file);
        if (!model) return console.error(model.error());
        models.push_back(std::move(*model));
    }
    auto mean = model::average_models(models);
    if (!mean) return console.error(mean.error());
    mean->provenance.version = kVersion;
    mean->provenance.command = fmt::format("solis model average {}", fmt::join(options.files, " "));
    if (auto ok = model::save_model(options.out, *mean, options.existing); !ok)
        return console.error(ok.error());
    if (options.json) print_json(console, {{"file", options.out}, {"models", models.size()}});
    console.note("wrote {}, the mean of {} models", options.out, models.size());
    console.note(
        "its scores have no calibration yet: solis axis --keep-axis --model {} --data "
        "LABELS --out NEW",
        options.out);
    return ExitCode::Ok;
}

}  // namespace

void add_model_average(Command& parent, Session& session) {
    const auto options = std::make_shared<AverageOptions>();
    Command* command = parent.add_subcommand(
        "average", "the mean of models that were trained from the same start");
    command->add_option("files", options->files, "model files, two or more")->required();
    command->add_option("--out", options->out, "where to write the model")->required();
    add_force_flag(*command, options->existing);
    add_json_flag(*command, options->json);
    command->callback(
        [options, &session] { session.exit_code = run_average(*options, session.console); });
}

}  // namespace solis::cli
