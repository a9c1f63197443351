// solis model export, import and attach: weights out of a model file and into it.
#include <algorithm>
#include <filesystem>
#include <map>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "solis/cli/model/model_options.h"
#include "solis/cli/version.h"
#include "solis/nn/io/npz.h"

namespace solis::cli {
namespace {

constexpr const char* kMetadataName = "metadata";

// What a command that writes a file says about it.
void report_written(const ModelOptions& options, std::size_t tensors, Console& console) {
    if (options.json) print_json(console, {{"file", options.out}, {"tensors", tensors}});
    console.note("wrote {} ({} tensors)", options.out, tensors);
}

// The metadata travels as JSON in an array of its own, so that nothing is lost on the way through
// numpy: json.loads(str(weights["metadata"])).
nn::NamedArray metadata_array(const std::map<std::string, std::string>& metadata) {
    const std::string text =
        nlohmann::json(metadata).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
    return {kMetadataName, {{}, std::vector<std::string>{text}}};
}

Result<std::map<std::string, std::string>> parse_metadata(const nn::NpyArray& array) {
    const auto* strings = std::get_if<std::vector<std::string>>(&array.values);
    const auto json = strings != nullptr && strings->size() == 1
                          ? nlohmann::json::parse(strings->front(), nullptr, false)
                          : nlohmann::json(nlohmann::json::value_t::discarded);
    const auto is_text = [](const nlohmann::json& value) { return value.is_string(); };
    if (!json.is_object() || !std::all_of(json.begin(), json.end(), is_text)) {
        return fail(fmt::format("array '{}' is not a JSON object of strings", kMetadataName),
                    "leave it out, or write it with json.dumps");
    }
    return json.get<std::map<std::string, std::string>>();
}

Result<nn::TensorFile> read_npz_tensors(const std::string& path) {
    auto arrays = nn::read_npz(path);
    if (!arrays) return tl::unexpected(arrays.error());
    nn::TensorFile file;
    for (nn::NamedArray& named : *arrays) {
        if (named.name == kMetadataName) {
            auto metadata = parse_metadata(named.array);
            if (!metadata) return fail_in(path, metadata.error());
            file.metadata = std::move(*metadata);
            continue;
        }
        auto tensor = nn::to_tensor(std::move(named.name), std::move(named.array));
        if (!tensor) return fail_in(path, tensor.error());
        file.tensors.push_back(std::move(*tensor));
    }
    return file;
}

}  // namespace

ExitCode run_model_export(const ModelOptions& options, Console& console) {
    const auto model = model::load_model(options.file);
    if (!model) return console.error(model.error());
    nn::TensorFile file = model::to_tensors(*model);
    std::vector<nn::NamedArray> arrays;
    for (nn::Tensor& tensor : file.tensors) {
        std::string name = tensor.name;
        arrays.push_back({std::move(name), nn::to_array(std::move(tensor))});
    }
    const std::size_t tensors = arrays.size();
    arrays.push_back(metadata_array(file.metadata));
    if (auto ok = nn::write_npz(options.out, arrays, options.existing); !ok)
        return console.error(ok.error());
    report_written(options, tensors, console);
    return ExitCode::Ok;
}

ExitCode run_model_import(const ModelOptions& options, Console& console) {
    const bool is_npz = std::filesystem::path(options.file).extension() == ".npz";
    auto file = is_npz ? read_npz_tensors(options.file) : nn::read_safetensors(options.file);
    if (!file) return console.error(file.error());
    const std::size_t tensors = file->tensors.size();
    auto model = model::import_tensors(std::move(*file), options.hints);
    if (!model) return console.error(fail_in(options.file, model.error()).value());
    if (model->provenance.command.empty()) {
        model->provenance.version = kVersion;
        model->provenance.command = fmt::format("solis model import {}", options.file);
    }
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
    // A model that carries an encoder for endings hands it on.
    if (endings->endings) *endings = model::ModelFile(*endings->endings);
    if (auto ok = model::attach_endings(*model, std::move(*endings)); !ok) {
        return console.error(fail_in(options.endings, ok.error()).value());
    }
    if (auto ok = model::save_model(options.out, *model, options.existing); !ok)
        return console.error(ok.error());
    report_written(options, model::to_tensors(*model).tensors.size(), console);
    return ExitCode::Ok;
}

ExitCode run_model_pack(const ModelOptions& options, Console& console) {
    auto model = model::load_model(options.file);
    if (!model) return console.error(model.error());
    if (auto ok = model::save_model(options.out, model::packed(*model), options.existing); !ok) {
        return console.error(ok.error());
    }
    report_written(options, model::to_tensors(*model).tensors.size(), console);
    return ExitCode::Ok;
}

}  // namespace solis::cli
