// solis model: shows a model file, and takes weights out of it and into it.
#include <algorithm>
#include <filesystem>
#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "solis/base/byte_source.h"
#include "solis/cli/commands.h"
#include "solis/cli/version.h"
#include "solis/model/model_file.h"
#include "solis/nn/io/npz.h"

namespace solis::cli {
namespace {

struct ModelOptions {
    std::string file;
    std::string out;
    Existing existing = Existing::Refuse;
    std::string endings;
    std::string preset;
    model::ImportHints hints;
    bool json = false;
};

using Json = nlohmann::ordered_json;

// Text as it is, or escaped where it would break the line or command the terminal.
std::string one_line(const std::string& text) {
    const auto is_control = [](char c) { return static_cast<unsigned char>(c) < 32 || c == 127; };
    if (std::none_of(text.begin(), text.end(), is_control)) return text;
    return Json(text).dump(-1, ' ', false, Json::error_handler_t::replace);
}

Json tensors_json(const nn::TensorFile& file) {
    Json list = Json::array();
    for (const nn::Tensor& tensor : file.tensors) {
        list.push_back({{"name", tensor.name}, {"shape", tensor.shape}});
    }
    return list;
}

Json axis_json(const model::AdvantageAxis& axis) {
    return {{"dims", axis.dims()},
            {"score_white", axis.score(axis.mu_white)},
            {"score_black", axis.score(axis.mu_black)},
            {"distance", axis.anchored_score(axis.mu_white)}};
}

Json calibration_json(const model::Calibration& calibration) {
    return {{"knots", calibration.scores().size()},
            {"score", calibration.scores()},
            {"p", calibration.probabilities()},
            {"draw_score", calibration.draw_score()}};
}

Json info_json(const model::ModelFile& model, const std::string& file, std::size_t bytes) {
    const nn::TensorFile tensors = model::to_tensors(model);
    Json info{{"file", file},
              {"bytes", bytes},
              {"encoder", model.encoder_kind()},
              {"parameters", model.parameter_count()},
              {"dims", model.dims()},
              {"tensors", tensors_json(tensors)}};
    info["axis"] = model.axis ? axis_json(*model.axis) : Json();
    info["calibration"] = model.calibration ? calibration_json(*model.calibration) : Json();
    if (model.endings) {
        info["endings"] = {{"encoder", model.endings->encoder_kind()},
                           {"parameters", model.endings->parameter_count()},
                           {"axis", axis_json(*model.endings->axis)},
                           {"calibration", calibration_json(*model.endings->calibration)}};
    }
    for (const auto& [key, text] : tensors.metadata) info["metadata"][key] = text;
    return info;
}

void print_axis(const model::ModelFile& model, Console& console) {
    if (!model.axis) {
        console.print("axis         none (add it: solis axis)\n");
        return;
    }
    console.print(
        "axis         {} dimensions, means {:.4f} apart, White wins at {:+.4f}, Black wins at "
        "{:+.4f}\n",
        model.axis->dims(), model.axis->anchored_score(model.axis->mu_white),
        model.axis->score(model.axis->mu_white), model.axis->score(model.axis->mu_black));
}

void print_calibration(const model::ModelFile& model, Console& console) {
    if (!model.calibration) {
        console.print("calibration  none (add it: solis axis)\n");
        return;
    }
    const model::Calibration& curve = *model.calibration;
    console.print("calibration  {} knots, p {:.3f} to {:.3f}, draw at {:+.4f}\n",
                  curve.scores().size(), curve.probabilities().front(),
                  curve.probabilities().back(), curve.draw_score());
    for (const double p : {0.1, 0.25, 0.5, 0.75, 0.9}) {
        console.print("             p = {:<4} at score {:+.4f}\n", p, curve.score_at(p));
    }
}

void print_endings(const model::ModelFile& endings, Console& console) {
    console.print("\nfor endings of one or two pieces against a bare king\n");
    console.print("encoder      {}, {} parameters\n", endings.encoder_kind(),
                  endings.parameter_count());
    print_axis(endings, console);
    print_calibration(endings, console);
    console.print("\n");
}

void print_info(const model::ModelFile& model, const std::string& file, std::size_t bytes,
                Console& console) {
    const nn::TensorFile tensors = model::to_tensors(model);
    console.print("file         {} ({} bytes)\n", file, bytes);
    console.print("encoder      {}, {} parameters\n", model.encoder_kind(),
                  model.parameter_count());
    for (const nn::Tensor& tensor : tensors.tensors) {
        console.print("tensor       {:<18} {}\n", tensor.name, nn::shape_text(tensor.shape));
    }
    print_axis(model, console);
    print_calibration(model, console);
    if (model.endings) print_endings(*model.endings, console);
    for (const auto& [key, text] : tensors.metadata) {
        console.print("metadata     {}: {}\n", one_line(key), one_line(text));
    }
}

// The paper's networks, without a file.
ExitCode run_preset_info(const ModelOptions& options, Console& console) {
    const auto shape = nn::transformer_preset(options.preset);
    if (!shape) return console.error(shape.error(), ExitCode::Usage);
    const std::size_t parameters = nn::parameter_count(*shape);
    const std::size_t bytes = parameters * sizeof(float);
    if (options.json) {
        print_json(console, {{"preset", options.preset},
                             {"encoder", "transformer"},
                             {"parameters", parameters},
                             {"bytes", bytes},
                             {"dims", shape->dims},
                             {"heads", shape->heads},
                             {"mlp", shape->mlp},
                             {"layers", shape->layers},
                             {"forward_operations", nn::forward_operations(*shape)}});
        return ExitCode::Ok;
    }
    console.print("encoder      transformer '{}', {} parameters ({:.1f} MB)\n", options.preset,
                  parameters, static_cast<double>(bytes) / 1e6);
    console.print("sizes        {} dimensions, {} heads, MLP {}, {} layers, {} tokens\n",
                  shape->dims, shape->heads, shape->mlp, shape->layers, shape->tokens);
    console.print("work         {:.0f} million operations per position\n",
                  nn::forward_operations(*shape) / 1e6);
    for (const nn::TensorSpec& spec : nn::TransformerWeights::specs(*shape)) {
        console.print("tensor       {:<44} {}\n", spec.name, nn::shape_text(spec.shape));
    }
    return ExitCode::Ok;
}

ExitCode run_model_info(const ModelOptions& options, Console& console) {
    if (!options.preset.empty()) return run_preset_info(options, console);
    if (options.file.empty()) {
        return console.error({"no model to show", "name a file, or --preset mini|base"},
                             ExitCode::Usage);
    }
    const auto bytes = read_file(options.file);
    if (!bytes) return console.error(bytes.error());
    const auto model = model::parse_model(*bytes);
    if (!model) return console.error(fail_in(options.file, model.error()).value());
    if (options.json) {
        print_json(console, info_json(*model, options.file, bytes->size()));
    } else {
        print_info(*model, options.file, bytes->size(), console);
    }
    return ExitCode::Ok;
}

// What a command that writes a file says about it.
void report_written(const ModelOptions& options, std::size_t tensors, Console& console) {
    if (options.json) print_json(console, {{"file", options.out}, {"tensors", tensors}});
    console.note("wrote {} ({} tensors)", options.out, tensors);
}

ExitCode run_model_export(const ModelOptions& options, Console& console) {
    const auto model = model::load_model(options.file);
    if (!model) return console.error(model.error());
    nn::TensorFile file = model::to_tensors(*model);
    std::vector<nn::NamedArray> arrays;
    for (nn::Tensor& tensor : file.tensors) {
        std::string name = tensor.name;
        arrays.push_back({std::move(name), nn::to_array(std::move(tensor))});
    }
    if (auto ok = nn::write_npz(options.out, arrays, options.existing); !ok)
        return console.error(ok.error());
    report_written(options, arrays.size(), console);
    return ExitCode::Ok;
}

Result<nn::TensorFile> read_npz_tensors(const std::string& path) {
    auto arrays = nn::read_npz(path);
    if (!arrays) return tl::unexpected(arrays.error());
    nn::TensorFile file;
    for (nn::NamedArray& named : *arrays) {
        auto tensor = nn::to_tensor(std::move(named.name), std::move(named.array));
        if (!tensor) return fail_in(path, tensor.error());
        file.tensors.push_back(std::move(*tensor));
    }
    return file;
}

ExitCode run_model_import(const ModelOptions& options, Console& console) {
    const bool is_npz = std::filesystem::path(options.file).extension() == ".npz";
    auto file = is_npz ? read_npz_tensors(options.file) : nn::read_safetensors(options.file);
    if (!file) return console.error(file.error());
    const std::size_t tensors = file->tensors.size();
    auto model = model::import_tensors(std::move(*file), options.hints);
    if (!model) return console.error(fail_in(options.file, model.error()).value());
    model->provenance.version = kVersion;
    model->provenance.command = fmt::format("solis model import {}", options.file);
    if (auto ok = model::save_model(options.out, *model, options.existing); !ok)
        return console.error(ok.error());
    report_written(options, tensors, console);
    return ExitCode::Ok;
}

ExitCode run_model_attach(const ModelOptions& options, Console& console) {
    auto model = model::load_model(options.file);
    if (!model) return console.error(model.error());
    auto endings = model::load_model(options.endings);
    if (!endings) return console.error(endings.error());
    if (auto ok = model::attach_endings(*model, std::move(*endings)); !ok) {
        return console.error(fail_in(options.endings, ok.error()).value());
    }
    if (auto ok = model::save_model(options.out, *model, options.existing); !ok)
        return console.error(ok.error());
    report_written(options, model::to_tensors(*model).tensors.size(), console);
    return ExitCode::Ok;
}

using ModelAction = ExitCode (*)(const ModelOptions&, Console&);

Command* add_action(Command& parent, Session& session, const char* name, const char* help,
                    const char* file_help, const std::shared_ptr<ModelOptions>& options,
                    ModelAction run) {
    Command* action = parent.add_subcommand(name, help);
    Option* file = action->add_option("file", options->file, file_help);
    if (run != run_model_info) file->required();
    add_json_flag(*action, options->json);
    action->callback(
        [options, run, &session] { session.exit_code = run(*options, session.console); });
    return action;
}

}  // namespace

void add_model(Command& parent, Session& session) {
    const auto options = std::make_shared<ModelOptions>();
    Command* command = parent.add_subcommand("model", "show, export, import and join model files");
    command->require_subcommand();
    Command* info = add_action(*command, session, "info", "what a model file holds", "model file",
                               options, run_model_info);
    info->add_option("--preset", options->preset, "sizes of the paper's networks: mini or base");
    Command* to_npz = add_action(*command, session, "export", "write the tensors for numpy",
                                 "model file", options, run_model_export);
    to_npz->add_option("--out", options->out, "where to write the .npz")->required();
    Command* from_file = add_action(*command, session, "import", "make a model file from weights",
                                    ".safetensors or .npz with the tensor names of a model file",
                                    options, run_model_import);
    Command* attach =
        add_action(*command, session, "attach", "give a model an encoder of its own for endings",
                   "model file", options, run_model_attach);
    attach->add_option("--endings", options->endings, "the model trained on endings")->required();
    attach->add_option("--out", options->out, "where to write the model")->required();
    from_file->add_option("--out", options->out, "where to write the model")->required();
    for (Command* writes : {to_npz, attach, from_file}) add_force_flag(*writes, options->existing);
    from_file->add_option("--features", options->hints.features,
                          "swift: feature set, where the file does not say it: pieces, threats or "
                          "relations");
    from_file->add_option("--tokenizer", options->hints.tokenizer,
                          "transformer: deepmind or reference (default: deepmind)");
    from_file->add_option("--heads", options->hints.heads,
                          "transformer: heads (default: those of the paper's networks)");
}

}  // namespace solis::cli
