// A complete player in one safetensors file: encoder, advantage axis and calibration, and perhaps a
// second set of them for won endings.
#pragma once
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "solis/base/result.h"
#include "solis/model/axis.h"
#include "solis/model/calibration.h"
#include "solis/model/process_encoder.h"
#include "solis/model/swift_encoder.h"
#include "solis/model/transformer_encoder.h"
#include "solis/model/view.h"
#include "solis/nn/io/safetensors.h"

namespace solis::model {

// Where a model comes from; every field may be empty.
struct Provenance {
    std::string training_config;  // text of the configuration
    std::string data_manifest;    // hash of the manifest of the training data
    std::string metrics;          // JSON
    std::string version;          // of the program
    std::string command;          // that made the file

    friend bool operator==(const Provenance&, const Provenance&) = default;
};

using Encoder = std::variant<SwiftEncoder, TransformerEncoder, ProcessEncoder>;

struct ModelFile {
    Encoder encoder;
    // Both missing straight after training: `solis axis` adds them. No calibration without axis.
    std::optional<AdvantageAxis> axis;
    std::optional<Calibration> calibration;
    // A swift model of its own, with axis and calibration, for the endings that
    // chess::MateTables::cover; may be null. It has no endings itself.
    std::shared_ptr<const ModelFile> endings;
    Provenance provenance;
    // Metadata of other programs, kept as it is; no key starts with "solis.".
    std::map<std::string, std::string> other_metadata;

    explicit ModelFile(Encoder parameters) : encoder(std::move(parameters)) {}

    // "swift", "transformer" or "process".
    [[nodiscard]] std::string_view encoder_kind() const;
    // The encoder of that kind, null where it is another.
    [[nodiscard]] const SwiftEncoder* swift() const { return std::get_if<SwiftEncoder>(&encoder); }
    [[nodiscard]] const TransformerEncoder* transformer() const {
        return std::get_if<TransformerEncoder>(&encoder);
    }
    [[nodiscard]] const ProcessEncoder* process() const {
        return std::get_if<ProcessEncoder>(&encoder);
    }
    // In which the encoder sees, and in which axis and calibration are.
    [[nodiscard]] View view() const { return swift() != nullptr ? View::Mover : View::White; }
    // Of the embedding.
    [[nodiscard]] std::size_t dims() const;
    [[nodiscard]] std::size_t parameter_count() const;
    // Fails where the axis or the calibration is missing: such a model cannot give a score.
    [[nodiscard]] Result<void> check_can_score() const;
};

// The model with its large tensors rounded to 16-bit floats, which makes its file half as large.
[[nodiscard]] ModelFile packed(const ModelFile& model);

// Gives `game` the endings of another model. Refuses what cannot be a model's endings.
[[nodiscard]] Result<void> attach_endings(ModelFile& game, ModelFile endings);

[[nodiscard]] nn::TensorFile to_tensors(const ModelFile& model);
// Refuses unknown formats, encoders, feature sets and "solis." metadata, missing, additional and
// misshapen tensors, values that are not finite, an axis or calibration that is none, and endings
// that are not complete.
[[nodiscard]] Result<ModelFile> from_tensors(nn::TensorFile file);

[[nodiscard]] Result<ModelFile> parse_model(std::string_view bytes);
// The errors name the path.
[[nodiscard]] Result<ModelFile> load_model(const std::filesystem::path& path);
[[nodiscard]] Result<void> save_model(const std::filesystem::path& path, const ModelFile& model,
                                      Existing existing = Existing::Replace);

// What weights of another program may leave open.
struct ImportHints {
    std::string features;   // swift: the feature set
    std::string tokenizer;  // transformer: empty for the default
    int heads = 0;          // transformer: 0 for those of the paper's networks
};

// Weights of another program: tensors named as in a model file, or a state_dict of PyTorch.
// Metadata may be missing where the shapes or the hints tell.
[[nodiscard]] Result<ModelFile> import_tensors(nn::TensorFile file, const ImportHints& hints);

}  // namespace solis::model
