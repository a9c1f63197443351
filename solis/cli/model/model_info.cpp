// solis model info: what a model file holds, for people or as JSON.
#include <algorithm>

#include <nlohmann/json.hpp>

#include "solis/base/byte_source.h"
#include "solis/cli/model/model_options.h"
#include "solis/model/embedded_model.h"

namespace solis::cli {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view kConfigKey = "training.config";

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

// The configuration of the training run, line by line.
void print_config(std::string_view title, std::string_view config, Console& console) {
    while (!config.empty()) {
        const std::size_t end = std::min(config.find('\n'), config.size());
        // Comments explain the keys, which `solis train --print-config` does as well.
        if (config[0] != '#') {
            console.print("{}{}\n", title, one_line(std::string(config.substr(0, end))));
        }
        config.remove_prefix(std::min(end + 1, config.size()));
    }
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
    if (model.calibration && model.view() == model::View::Mover &&
        model.calibration->symmetrised() == *model.calibration) {
        console.print(
            "             symmetric, which leaves out what the move is worth; refit it: solis "
            "axis --keep-axis\n");
    }
    if (model.endings) print_endings(*model.endings, console);
    for (const auto& [key, text] : tensors.metadata) {
        if (key.ends_with(kConfigKey)) continue;
        console.print("metadata     {}: {}\n", one_line(key), one_line(text));
    }
    print_config("config       ", model.provenance.training_config, console);
    if (!model.endings) return;
    print_config("config       endings: ", model.endings->provenance.training_config, console);
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

}  // namespace

ExitCode run_model_info(const ModelOptions& options, Console& console) {
    if (!options.preset.empty()) return run_preset_info(options, console);
    const bool embedded = options.file.empty();
    std::string read;
    if (!embedded) {
        auto bytes = read_regular_file(options.file);
        if (!bytes) return console.error(bytes.error());
        read = std::move(*bytes);
    }
    const std::string_view bytes = embedded ? model::embedded_model_bytes() : read;
    const std::string name = embedded ? "the embedded model" : options.file;
    const auto model = model::parse_model(bytes);
    if (!model) return console.error(fail_in(name, model.error()).value());
    if (options.json) {
        print_json(console, info_json(*model, name, bytes.size()));
    } else {
        print_info(*model, name, bytes.size(), console);
    }
    return ExitCode::Ok;
}

}  // namespace solis::cli
