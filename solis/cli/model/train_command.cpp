// solis train: trains an encoder on stores of labelled positions.
#include <filesystem>
#include <memory>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "solis/base/byte_source.h"
#include "solis/base/interrupt.h"
#include "solis/base/progress.h"
#include "solis/cli/commands.h"
#include "solis/cli/version.h"
#include "solis/train/processes.h"
#include "solis/train/run.h"

namespace solis::cli {
namespace {

using train::TrainConfig;

// One flag per field of the config; those that were given replace what preset and file say.
struct FieldFlag {
    Option* option;
    void* member;  // in TrainOptions::flags
};

struct TrainOptions {
    std::string preset = "swift";
    std::string config_file;
    std::string out;
    bool print_config = false;
    bool json = false;
    TrainConfig flags;
    std::vector<FieldFlag> fields;
};

std::string flag_name(std::string key) {
    for (char& c : key) c = c == '_' ? '-' : c;
    return "--" + key;
}

Result<TrainConfig> effective_config(const TrainOptions& options) {
    auto config = train::preset(options.preset);
    if (!config) return config;
    if (!options.config_file.empty()) {
        auto source = open_source(options.config_file);
        if (!source) return tl::unexpected(source.error());
        const auto text = read_all(**source);
        if (!text) return tl::unexpected(text.error());
        config = train::parse_config(*text, *config);
        if (!config) return fail_in(options.config_file, config.error());
    }
    auto flag = options.fields.begin();
    TrainConfig::visit(*config, [&](const char*, auto& member, const char*) {
        using Member = std::decay_t<decltype(member)>;
        if (flag->option->count() > 0) member = *static_cast<const Member*>(flag->member);
        ++flag;
    });
    return config;
}

void report(const train::RunResult& result, bool json, Console& console) {
    if (json) {
        nlohmann::ordered_json line{{"finished", result.finished},
                                    {"model", result.model.string()}};
        train::ValidationReport::visit(
            result.report, [&](const char* name, const auto& value) { line[name] = value; });
        print_json(console, line);
    } else if (result.finished) {
        console.print("{}\n", result.model.string());
    }
}

// What to type to get this run again; stores by name, as in the model's config.
std::string command_line(const TrainOptions& options) {
    std::string line = fmt::format("solis train --preset {}", options.preset);
    for (const FieldFlag& field : options.fields) {
        if (field.option->count() == 0) continue;
        line += " " + field.option->name();
        for (const std::string& value : field.option->results()) {
            const bool is_store = field.member == &options.flags.stores;
            line += " " + (is_store ? std::filesystem::path(value).filename().string() : value);
        }
    }
    return line;
}

ExitCode run_here(const TrainOptions& options, const TrainConfig& config,
                  const std::string& command, std::shared_ptr<train::Communicator> processes,
                  InterruptWatch& interrupt, Console& console) {
    auto trainer = train::Trainer::open(config, options.out, processes);
    if (!trainer) return console.error(trainer.error());
    if (!(*trainer)->leads()) console.set_quiet(true);
    const auto validation = train::ValidationSet::load(config);
    if (!validation) return console.error(validation.error());
    console.note("{} positions per epoch, {} steps of {}; {} held-out positions, {} moves to rank",
                 (*trainer)->positions_per_epoch(), (*trainer)->steps(), config.batch,
                 validation->positions.size(), validation->questions.size());
    if ((*trainer)->step() > 0) console.note("resumed at step {}", (*trainer)->step());
    const auto result = train::run_training(
        **trainer, *validation, command, kVersion, [&] { return interrupt.requested(); }, console);
    if (!result) return console.error(result.error());
    if ((*trainer)->leads()) report(*result, options.json, console);
    if (!result->finished) {
        console.note("stopped at step {}; the same command goes on from there", (*trainer)->step());
        return ExitCode::Interrupted;
    }
    return ExitCode::Ok;
}

ExitCode run_train(const TrainOptions& options, const std::string& command, Console& console) {
    const auto config = effective_config(options);
    if (!config) return console.error(config.error(), ExitCode::Usage);
    if (options.print_config) {
        console.print("{}", train::to_toml(*config));
        return ExitCode::Ok;
    }
    if (options.out.empty()) {
        return console.error({"no folder for the run", "name one with --out"}, ExitCode::Usage);
    }
    if (auto ok = train::validate(*config); !ok) return console.error(ok.error(), ExitCode::Usage);
    // First of all, because MPI starts threads, which would not be spared the signals otherwise.
    InterruptWatch interrupt;
    auto processes = train::connect_processes();
    if (!processes) return console.error(processes.error());
    const std::shared_ptr<train::Communicator> shared = std::move(*processes);
    const ExitCode code = run_here(options, *config, command, shared, interrupt, console);
    if (code == ExitCode::Failed) shared->abort();
    return code;
}

}  // namespace

void add_train(Command& parent, Session& session) {
    const auto options = std::make_shared<TrainOptions>();
    Command* command = parent.add_subcommand("train", "train an encoder on labelled positions");
    command
        ->add_option(
            "--preset", options->preset,
            "where the config starts: swift, swift-quick, endings, mini-paper, mini-cpu or "
            "base-paper")
        ->capture_default_str();
    command->add_option("--config", options->config_file, "TOML file over the preset");
    command->add_option("--out", options->out, "folder of the run; an unfinished run is resumed");
    command->add_flag("--print-config", options->print_config,
                      "print the effective config and stop");
    add_json_flag(*command, options->json);
    TrainConfig::visit(options->flags, [&](const char* key, auto& member, const char* meaning) {
        Option* option = command->add_option(flag_name(key), member, meaning);
        option->group("Config (see --print-config)");
        options->fields.push_back({option, &member});
    });
    command->callback([options, &session] {
        session.exit_code = run_train(*options, command_line(*options), session.console);
    });
}

}  // namespace solis::cli
