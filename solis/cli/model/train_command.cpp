// solis train: trains an encoder on stores of labelled positions.
#include <algorithm>
#include <array>
#include <filesystem>
#include <memory>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "solis/base/byte_source.h"
#include "solis/base/interrupt.h"
#include "solis/base/progress.h"
#include "solis/cli/commands.h"
#include "solis/cli/damage.h"
#include "solis/cli/version.h"
#include "solis/train/config_fields.h"
#include "solis/train/processes.h"
#include "solis/train/run.h"

namespace solis::cli {
namespace {

using train::TrainConfig;

// One option per field of the config; those that were given replace what preset and file say.
// Choices are text here, because the command line knows no enums of ours.
struct FieldOption {
    Option* option;
    Option* old_option;  // under its older name, hidden; null where the field always had its name
    const void* value;   // what it sets in TrainOptions::values; choices are text instead
    std::unique_ptr<std::string> choice = std::make_unique<std::string>();

    [[nodiscard]] const Option& given() const {
        return old_option != nullptr && old_option->count() > 0 ? *old_option : *option;
    }
    [[nodiscard]] bool was_given() const { return given().count() > 0; }
};

struct TrainOptions {
    std::string preset = "swift";
    std::string config_file;
    std::string out;
    bool print_config = false;
    bool json = false;
    TrainConfig values;  // of the options
    std::vector<FieldOption> fields;
};

constexpr std::array<std::string_view, 4> kFileOptions{"--stores", "--teacher", "--start-from",
                                                       "--auxiliary-teacher"};

std::string option_name(std::string_view key) {
    std::string name = "--" + std::string(key);
    for (char& c : name) c = c == '_' ? '-' : c;
    return name;
}

template <class T>
Option* add_field_option(Command& command, const std::string& name, T& member, std::string& choice,
                         const char* meaning) {
    if constexpr (std::is_enum_v<T>) {
        return command.add_option(name, choice, meaning);
    } else {
        Option* option = command.add_option(name, member, meaning);
        if constexpr (std::is_same_v<T, bool>) option->optional_value();
        return option;
    }
}

void add_field_options(Command& command, TrainOptions& options) {
    train::visit_fields(options.values, [&](std::string_view key, auto& member,
                                            const train::FieldRule& rule, const char* meaning) {
        FieldOption field{nullptr, nullptr, &member};
        field.option = add_field_option(command, option_name(key), member, *field.choice, meaning);
        field.option->group("Config (see --print-config)");
        if (!rule.old_key.empty()) {
            field.old_option = add_field_option(command, option_name(rule.old_key), member,
                                                *field.choice, meaning);
            field.old_option->group("");
        }
        options.fields.push_back(std::move(field));
    });
}

// Replaces the fields of `config` that were given as options.
Result<void> take_options(const TrainOptions& options, TrainConfig& config) {
    auto next = options.fields.begin();
    Result<void> status;
    train::visit_fields(config, [&](std::string_view key, auto& member, const auto&, const char*) {
        using T = std::decay_t<decltype(member)>;
        const FieldOption& field = *next++;
        if (!field.was_given() || !status) return;
        if constexpr (std::is_enum_v<T>) {
            const auto choice = train::choice_from_name<T>(*field.choice);
            if (choice) {
                member = *choice;
            } else {
                status = tl::unexpected(train::unknown_choice<T>(key, *field.choice));
            }
        } else {
            member = *static_cast<const T*>(field.value);
        }
    });
    return status;
}

bool was_given(const TrainOptions& options, std::string_view name) {
    return std::any_of(options.fields.begin(), options.fields.end(), [&](const FieldOption& field) {
        return field.option->name() == name && field.was_given();
    });
}

Result<TrainConfig> effective_config(const TrainOptions& options, Console& console) {
    auto config = train::preset(options.preset);
    if (!config) return config;
    if (!options.config_file.empty()) {
        const auto text = read_file(options.config_file);
        if (!text) return tl::unexpected(text.error());
        std::vector<std::string> notes;
        config = train::parse_config(*text, *config, &notes);
        if (!config) return fail_in(options.config_file, config.error());
        for (const std::string& note : notes) {
            console.warn(fmt::format("{}: {}", options.config_file, note));
        }
    }
    if (auto ok = take_options(options, *config); !ok) return tl::unexpected(ok.error());
    if (was_given(options, "--teacher") && !was_given(options, "--auxiliary-teacher")) {
        train::read_old_teacher(*config);
    }
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

// What to type to get this run again; files by name, as in the model's config.
std::string command_line(const TrainOptions& options) {
    std::string line = fmt::format("solis train --preset {}", options.preset);
    for (const FieldOption& field : options.fields) {
        if (!field.was_given()) continue;
        const std::string& name = field.option->name();
        const bool is_file =
            std::find(kFileOptions.begin(), kFileOptions.end(), name) != kFileOptions.end();
        line += " " + name;
        for (const std::string& value : field.given().results()) {
            line += " " + (is_file ? std::filesystem::path(value).filename().string() : value);
        }
    }
    return line;
}

// A store of single positions, as plans leave them, would take part without a word and without
// effect where siblings are wanted.
void report_unused(Console& console, const TrainConfig& config,
                   const std::vector<std::string>& stores) {
    const bool siblings = config.loss.batching == train::Batching::Siblings;
    for (const std::string& store : stores) {
        console.warn(fmt::format("nothing of '{}' is used: {}", store,
                                 siblings ? "no training game of it has positions after different "
                                            "moves from one position, as batching = siblings "
                                            "wants them"
                                          : "the filters leave no position of its training games"));
    }
}

ExitCode run_here(const TrainOptions& options, const TrainConfig& config,
                  const std::string& command, std::shared_ptr<train::Communicator> processes,
                  InterruptWatch& interrupt, Console& console) {
    auto trainer = train::Trainer::open(config, options.out, processes);
    if (!trainer) return console.error(trainer.error());
    if (!(*trainer)->leads()) console.set_quiet(true);
    if ((*trainer)->leads()) {
        report_damage(console, (*trainer)->skipped());
        report_unused(console, config, (*trainer)->unused_stores());
    }
    const auto validation = train::ValidationSet::load(config);
    if (!validation) return console.error(validation.error());
    console.note(
        "{}{} positions per epoch, {} steps of {}; {} held-out positions, {} moves to rank",
        config.data.teacher.empty() ? "" : "about ", (*trainer)->positions_per_epoch(),
        (*trainer)->steps(), config.run.batch, validation->positions.size(),
        validation->questions.size());
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
    const auto config = effective_config(options, console);
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
    add_field_options(*command, *options);
    command->callback([options, &session] {
        session.exit_code = run_train(*options, command_line(*options), session.console);
    });
}

}  // namespace solis::cli
