// solis axis: computes the advantage axis and the calibration of a model from held-out positions.
#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "solis/cli/commands.h"
#include "solis/cli/damage.h"
#include "solis/cli/model/held_out_report.h"
#include "solis/cli/model_choice.h"
#include "solis/model/model_file.h"
#include "solis/train/config_fields.h"
#include "solis/train/frozen_encoder.h"
#include "solis/train/validation.h"

namespace solis::cli {
namespace {

struct AxisOptions {
    ModelChoice model;
    std::string out;
    Existing existing = Existing::Refuse;
    train::TrainConfig config;  // stores and sizes of the held-out set
    std::string labels = "win_probability";
    int threads = 0;
    bool whole = false;
    bool keep_axis = false;
    bool bias = false;
    bool json = false;
};

const char* kind_name(data::PositionKind kind) {
    return kind == data::PositionKind::Line ? "line" : "branch";
}

nlohmann::ordered_json bias_json(std::span<const train::BiasRow> rows) {
    nlohmann::ordered_json all = nlohmann::ordered_json::array();
    for (const train::BiasRow& row : rows) {
        all.push_back({{"kind", kind_name(row.kind)},
                       {"min_pieces", row.min_pieces},
                       {"max_pieces", row.max_pieces},
                       {"positions", row.positions},
                       {"label", row.label},
                       {"model", row.model}});
    }
    return all;
}

void print_bias(std::span<const train::BiasRow> rows, Console& console) {
    console.print("\nmean win probability of the side to move, by the label and by the model\n");
    for (const train::BiasRow& row : rows) {
        if (row.positions == 0) continue;
        console.print("  {:<6} {:>2}-{:>2} pieces  {:>7} positions  {:.4f}  {:.4f}  {:+.4f}\n",
                      kind_name(row.kind), row.min_pieces, row.max_pieces, row.positions, row.label,
                      row.model, row.model - row.label);
    }
}

void report(const train::AxisFit& fit, std::span<const train::BiasRow> bias, const std::string& out,
            bool json, Console& console) {
    const double draw = fit.calibration.draw_score();
    if (json) {
        nlohmann::ordered_json line{{"model", out}};
        add_held_out(fit.report, line);
        line["draw_score"] = draw;
        if (!bias.empty()) line["bias"] = bias_json(bias);
        print_json(console, line);
        return;
    }
    print_held_out(fit.report, console);
    console.print("score of a draw    {:+.4f}\n", draw);
    if (!bias.empty()) print_bias(bias, console);
}

// What is fitted, and the file that it becomes.
struct AxisSubject {
    model::ModelFile file;
    std::unique_ptr<train::TrainableEncoder> encoder;
};

// The encoder of a file, or a process; its file then has nothing but axis and calibration.
Result<AxisSubject> open_subject(const ModelChoice& choice) {
    if (choice.encoder_command.empty()) {
        auto file = model::load_model(choice.path);
        if (!file) return tl::unexpected(file.error());
        if (file->process() != nullptr) {
            return fail(fmt::format("the encoder of '{}' is a program of its own", choice.path),
                        "name the command that starts it: --encoder-command");
        }
        auto encoder = train::make_trainable(*file);
        return AxisSubject{std::move(*file), std::move(encoder)};
    }
    auto process = model::EncoderProcess::start(choice.encoder_command, choice.source().process);
    if (!process) return tl::unexpected(process.error());
    const std::string name = (*process)->name();
    auto encoder = train::make_frozen(std::move(*process), name);
    model::ModelFile file = encoder->to_model();
    if (!choice.path.empty()) {
        auto known = model::load_model(choice.path);
        if (!known) return tl::unexpected(known.error());
        if (known->process() == nullptr || *known->process() != *file.process()) {
            return fail(fmt::format("'{}' is not the axis of this encoder", choice.path));
        }
        file = std::move(*known);
    }
    return AxisSubject{std::move(file), std::move(encoder)};
}

ExitCode run_axis(const AxisOptions& options, Console& console) {
    if (options.out.empty() && options.existing == Existing::Refuse) {
        return console.error({"where shall the model be written?",
                              "name a file: --out FILE, or replace the model itself: --force"},
                             ExitCode::Usage);
    }
    const std::string out = options.out.empty() ? options.model.path : options.out;
    if (out.empty() || (options.model.path.empty() && options.model.encoder_command.empty())) {
        return console.error(
            {"neither --model nor --encoder-command was given", "name one of them"},
            ExitCode::Usage);
    }
    if (auto ok = check_output(out, options.existing); !ok) return console.error(ok.error());
    auto subject = open_subject(options.model);
    if (!subject) return console.error(subject.error());
    model::ModelFile* const model = &subject->file;
    const auto held_out = train::ValidationSet::load(
        options.config, options.whole ? std::nullopt : std::optional(data::Split::Validation));
    if (!held_out) return console.error(held_out.error());
    report_damage(console, held_out->skipped);
    ThreadPool pool(static_cast<std::size_t>(options.threads));
    const auto& encoder = subject->encoder;
    const auto kept = options.keep_axis ? model->axis : std::nullopt;
    auto fit = train::validate_encoder(*encoder, *held_out, pool, kept);
    if (!fit) return console.error(fit.error());
    model->axis = fit->axis;
    model->calibration = fit->calibration;
    if (auto ok = model::save_model(out, *model, options.existing); !ok)
        return console.error(ok.error());
    std::vector<train::BiasRow> bias;
    if (options.bias) bias = train::measure_bias(*encoder, *held_out, *fit, pool);
    report(*fit, bias, out, options.json, console);
    return ExitCode::Ok;
}

}  // namespace

void add_axis(Command& parent, Session& session) {
    const auto options = std::make_shared<AxisOptions>();
    Command* command =
        parent.add_subcommand("axis", "give a model its advantage axis and calibration");
    command->add_option("--model", options->model.path, "model file");
    add_encoder_options(*command, options->model);
    command
        ->add_option("--data", options->config.data.stores,
                     "stores; their validation split is used, which training leaves out")
        ->required();
    command->add_option("--out", options->out,
                        "where to write the model; with --force it may be the same file");
    add_force_flag(*command, options->existing);
    command->add_option("--positions", options->config.validation.positions, "held-out positions")
        ->capture_default_str();
    command->add_option("--moves", options->config.validation.moves, "positions with ranked moves")
        ->capture_default_str();
    command
        ->add_option("--labels", options->labels,
                     "what the scores are to be in order of, as in training: " +
                         train::choice_list<train::LabelKind>())
        ->capture_default_str();
    command->add_option("--threads", options->threads, "0: one per core")->capture_default_str();
    add_skip_damaged_flag(*command, options->config.data.skip_damaged);
    command->add_flag("--whole", options->whole,
                      "use all games of the stores, which must not have been trained on");
    command->add_flag("--keep-axis", options->keep_axis,
                      "fit the calibration only, to the axis that the model has");
    command->add_flag("--bias", options->bias,
                      "tell where the model sees the side to move better than the labels do");
    add_json_flag(*command, options->json);
    command->parse_complete_callback([options] {
        const auto labels = train::choice_from_name<train::LabelKind>(options->labels);
        if (!labels) {
            usage_error("--labels", "is one of " + train::choice_list<train::LabelKind>());
        }
        options->config.loss.labels = *labels;
    });
    command->callback(
        [options, &session] { session.exit_code = run_axis(*options, session.console); });
}

}  // namespace solis::cli
