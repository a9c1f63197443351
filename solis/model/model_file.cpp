// Model file <-> tensors and metadata.
#include "solis/model/model_file.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <iterator>
#include <utility>

#include <fmt/format.h>

#include "solis/base/file.h"
#include "solis/model/tensor_access.h"

namespace solis::model {
namespace {

const std::string kFormatKey = "solis.format";
const std::string kFormat = "1";
const std::string kEncoderKey = "solis.encoder";
constexpr std::string_view kSwift = "swift", kTransformer = "transformer", kProcess = "process";
constexpr std::string_view kPrefix = "solis.";
// Parts of the endings have the names they would have in a file of their own, behind these.
constexpr std::string_view kEndingsTensor = "endings.", kEndingsKey = "solis.endings.";
constexpr const char* kNewerHint = "the file may come from a newer version of solis";

constexpr std::array kProvenance{std::pair{"solis.training.config", &Provenance::training_config},
                                 std::pair{"solis.data.manifest", &Provenance::data_manifest},
                                 std::pair{"solis.metrics", &Provenance::metrics},
                                 std::pair{"solis.version", &Provenance::version},
                                 std::pair{"solis.command", &Provenance::command}};

nn::Tensor vector_tensor(const char* name, std::span<const float> values) {
    nn::Tensor tensor(name, {values.size()});
    tensor.values.assign(values.begin(), values.end());
    return tensor;
}

Result<void> check_metadata(const std::string& key, std::string_view expected,
                            nn::TensorFile& file) {
    const auto found = require_text(file, key);
    if (!found) return tl::unexpected(found.error());
    if (*found == expected) return {};
    return fail(
        fmt::format("metadata '{}' is '{}', expected '{}'", key, found->substr(0, 40), expected),
        kNewerHint);
}

Result<Encoder> take_encoder(nn::TensorFile& file) {
    const auto kind = require_text(file, kEncoderKey);
    if (!kind) return tl::unexpected(kind.error());
    const auto as_encoder = [](auto&& encoder) {
        return Encoder(std::forward<decltype(encoder)>(encoder));
    };
    if (*kind == kSwift) return take_swift_encoder(file).map(as_encoder);
    if (*kind == kTransformer) return take_transformer_encoder(file).map(as_encoder);
    if (*kind == kProcess) return take_process_encoder(file).map(as_encoder);
    return fail(fmt::format("metadata '{}' is '{}', expected '{}', '{}' or '{}'", kEncoderKey,
                            kind->substr(0, 40), kSwift, kTransformer, kProcess),
                kNewerHint);
}

// Both tensors or neither.
Result<bool> has_both(const nn::TensorFile& file, const char* first, const char* second) {
    const bool has_first = file.find(first) != nullptr, has_second = file.find(second) != nullptr;
    if (has_first == has_second) return has_first;
    return fail(fmt::format("tensor '{}' is there, '{}' is missing", has_first ? first : second,
                            has_first ? second : first),
                "rebuild both: solis axis");
}

Result<std::optional<AdvantageAxis>> take_axis(nn::TensorFile& file, std::size_t dims) {
    const auto there = has_both(file, "axis.mu_white", "axis.mu_black");
    if (!there) return tl::unexpected(there.error());
    if (!*there) return std::optional<AdvantageAxis>();
    auto white = require_tensor(file, {"axis.mu_white", {dims}});
    if (!white) return tl::unexpected(white.error());
    auto black = require_tensor(file, {"axis.mu_black", {dims}});
    if (!black) return tl::unexpected(black.error());
    auto axis = axis_from_means(std::move(white->values), std::move(black->values));
    if (!axis) return tl::unexpected(axis.error());
    return std::move(*axis);
}

Result<std::optional<Calibration>> take_calibration(nn::TensorFile& file) {
    const auto there = has_both(file, "calibration.score", "calibration.p");
    if (!there) return tl::unexpected(there.error());
    if (!*there) return std::optional<Calibration>();
    const std::size_t knots = file.find("calibration.score")->values.size();
    auto scores = require_tensor(file, {"calibration.score", {knots}});
    if (!scores) return tl::unexpected(scores.error());
    auto p = require_tensor(file, {"calibration.p", {knots}});
    if (!p) return tl::unexpected(p.error());
    auto calibration = Calibration::from_knots(std::move(scores->values), std::move(p->values));
    if (!calibration) return tl::unexpected(calibration.error());
    return std::move(*calibration);
}

// Moves the parts of the endings into a file of their own.
nn::TensorFile split_endings(nn::TensorFile& file) {
    nn::TensorFile part;
    const auto first = std::stable_partition(
        file.tensors.begin(), file.tensors.end(),
        [](const nn::Tensor& tensor) { return !tensor.name.starts_with(kEndingsTensor); });
    part.tensors.assign(std::move_iterator(first), std::move_iterator(file.tensors.end()));
    file.tensors.erase(first, file.tensors.end());
    for (nn::Tensor& tensor : part.tensors) tensor.name.erase(0, kEndingsTensor.size());
    for (auto at = file.metadata.begin(); at != file.metadata.end();) {
        if (!at->first.starts_with(kEndingsKey)) {
            ++at;
            continue;
        }
        part.metadata[std::string(kPrefix) + at->first.substr(kEndingsKey.size())] = at->second;
        at = file.metadata.erase(at);
    }
    return part;
}

void add_endings(const ModelFile& endings, nn::TensorFile& file) {
    nn::TensorFile part = to_tensors(endings);
    for (nn::Tensor& tensor : part.tensors) {
        tensor.name.insert(0, kEndingsTensor);
        file.tensors.push_back(std::move(tensor));
    }
    for (const auto& [key, text] : part.metadata) {
        if (!key.starts_with(kPrefix)) continue;
        file.metadata[std::string(kEndingsKey) + key.substr(kPrefix.size())] = text;
    }
}

// What is left after everything known has been taken.
Result<void> refuse_leftovers(const nn::TensorFile& file) {
    if (!file.tensors.empty()) {
        return fail(fmt::format("unknown tensor '{}' of shape {}", file.tensors[0].name,
                                nn::shape_text(file.tensors[0].shape)),
                    kNewerHint);
    }
    const auto known = file.metadata.lower_bound(std::string(kPrefix));
    if (known == file.metadata.end() || !known->first.starts_with(kPrefix)) return {};
    return fail(fmt::format("unknown metadata '{}'", known->first), kNewerHint);
}

}  // namespace

std::string_view ModelFile::encoder_kind() const {
    if (process() != nullptr) return kProcess;
    return swift() != nullptr ? kSwift : kTransformer;
}

std::size_t ModelFile::dims() const {
    if (process() != nullptr) return process()->dims;
    return static_cast<std::size_t>(swift() != nullptr ? swift()->shape.dims
                                                       : transformer()->shape.dims);
}

std::size_t ModelFile::parameter_count() const {
    if (process() != nullptr) return 0;
    return swift() != nullptr ? swift()->parameter_count()
                              : nn::parameter_count(transformer()->shape);
}

Result<void> ModelFile::check_can_score() const {
    constexpr const char* kHint = "add it: solis axis --model FILE --data LABELS";
    if (!axis) return fail("the model has no advantage axis", kHint);
    if (!calibration) return fail("the model has no calibration", kHint);
    return {};
}

nn::TensorFile to_tensors(const ModelFile& model) {
    nn::TensorFile file;
    file.metadata = model.other_metadata;
    file.metadata[kFormatKey] = kFormat;
    file.metadata[kEncoderKey] = model.encoder_kind();
    for (const auto& [key, member] : kProvenance) {
        const std::string& text = model.provenance.*member;
        if (!text.empty()) file.metadata[key] = text;
    }
    if (const SwiftEncoder* swift = model.swift()) add_swift_encoder(*swift, file);
    if (const TransformerEncoder* transformer = model.transformer()) {
        add_transformer_encoder(*transformer, file);
    }
    if (const ProcessEncoder* process = model.process()) add_process_encoder(*process, file);
    if (model.axis) {
        file.tensors.push_back(vector_tensor("axis.mu_white", model.axis->mu_white));
        file.tensors.push_back(vector_tensor("axis.mu_black", model.axis->mu_black));
    }
    if (model.calibration) {
        file.tensors.push_back(vector_tensor("calibration.score", model.calibration->scores()));
        file.tensors.push_back(vector_tensor("calibration.p", model.calibration->probabilities()));
    }
    if (model.endings) add_endings(*model.endings, file);
    return file;
}

ModelFile packed(const ModelFile& model) {
    nn::TensorFile file = to_tensors(model);
    for (nn::Tensor& tensor : file.tensors) nn::round_to_halves(tensor);
    auto rounded = from_tensors(std::move(file));
    assert(rounded);  // nothing but the last bits of finite weights is another
    return std::move(*rounded);
}

Result<void> attach_endings(ModelFile& game, ModelFile endings) {
    if (endings.swift() == nullptr) {
        return fail(
            fmt::format("the encoder is '{}', expected '{}'", endings.encoder_kind(), kSwift),
            "train one: solis train --preset endings");
    }
    if (endings.endings) return fail("the model has endings itself");
    if (auto ok = endings.check_can_score(); !ok) return ok;
    endings.other_metadata.clear();
    game.endings = std::make_shared<const ModelFile>(std::move(endings));
    return {};
}

namespace {

// The parts of one model, those of its endings split off.
Result<ModelFile> take_model(nn::TensorFile file) {
    if (auto ok = check_metadata(kFormatKey, kFormat, file); !ok) {
        return tl::unexpected(ok.error());
    }
    auto encoder = take_encoder(file);
    if (!encoder) return tl::unexpected(encoder.error());
    ModelFile model(std::move(*encoder));
    auto axis = take_axis(file, model.dims());
    if (!axis) return tl::unexpected(axis.error());
    model.axis = std::move(*axis);
    auto calibration = take_calibration(file);
    if (!calibration) return tl::unexpected(calibration.error());
    model.calibration = std::move(*calibration);
    if (model.calibration && !model.axis) {
        return fail("the model has a calibration but no advantage axis", "add it: solis axis");
    }
    for (const auto& [key, member] : kProvenance) {
        model.provenance.*member = take_text(file, key).value_or("");
    }
    if (auto ok = refuse_leftovers(file); !ok) return tl::unexpected(ok.error());
    model.other_metadata = std::move(file.metadata);
    return model;
}

Result<void> take_endings(nn::TensorFile part, ModelFile& model) {
    if (part.tensors.empty() && part.metadata.empty()) return {};
    // take_model knows no endings: theirs would be unknown tensors.
    auto endings = take_model(std::move(part));
    if (!endings) return fail_in("endings", endings.error());
    if (auto ok = attach_endings(model, std::move(*endings)); !ok) {
        return fail_in("endings", ok.error());
    }
    return {};
}

Result<void> add_inferred_metadata(const ImportHints& hints, nn::TensorFile& file) {
    const bool transformer = looks_like_transformer(file);
    file.metadata.emplace(kFormatKey, kFormat);
    file.metadata.emplace(kEncoderKey, transformer ? kTransformer : kSwift);
    return transformer ? add_inferred_transformer_metadata(hints.tokenizer, hints.heads, file)
                       : add_inferred_swift_metadata(hints.features, file);
}

}  // namespace

Result<ModelFile> from_tensors(nn::TensorFile file) {
    nn::TensorFile endings = split_endings(file);
    auto model = take_model(std::move(file));
    if (!model) return model;
    if (auto ok = take_endings(std::move(endings), *model); !ok) return tl::unexpected(ok.error());
    return model;
}

Result<ModelFile> parse_model(std::string_view bytes) {
    auto file = nn::parse_safetensors(bytes);
    if (!file) return tl::unexpected(file.error());
    return from_tensors(std::move(*file));
}

Result<ModelFile> load_model(const std::filesystem::path& path) {
    auto file = nn::read_safetensors(path);
    if (!file) return tl::unexpected(file.error());
    auto model = from_tensors(std::move(*file));
    if (!model) return fail_in(path.string(), model.error());
    return model;
}

Result<void> save_model(const std::filesystem::path& path, const ModelFile& model,
                        Existing existing) {
    return nn::write_safetensors(path, to_tensors(model), existing);
}

Result<ModelFile> import_tensors(nn::TensorFile file, const ImportHints& hints) {
    nn::TensorFile endings = split_endings(file);
    if (auto ok = add_inferred_metadata(hints, file); !ok) return tl::unexpected(ok.error());
    auto model = take_model(std::move(file));
    if (!model || endings.tensors.empty()) return model;
    if (auto ok = add_inferred_metadata(hints, endings); !ok) {
        return fail_in("endings", ok.error());
    }
    if (auto ok = take_endings(std::move(endings), *model); !ok) return tl::unexpected(ok.error());
    return model;
}

}  // namespace solis::model
