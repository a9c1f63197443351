// A complete player in one safetensors file: encoder, advantage axis and calibration.
#pragma once
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "model/axis.h"
#include "model/calibration.h"
#include "model/swift_encoder.h"
#include "nn/safetensors.h"

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

struct ModelFile {
    SwiftEncoder encoder;
    // Both missing straight after training: `solis axis` adds them. No calibration without axis.
    std::optional<AdvantageAxis> axis;
    std::optional<Calibration> calibration;
    Provenance provenance;
    // Metadata of other programs, kept as it is; no key starts with "solis.".
    std::map<std::string, std::string> other_metadata;

    explicit ModelFile(SwiftEncoder parameters) : encoder(std::move(parameters)) {}

    // "swift".
    [[nodiscard]] std::string_view encoder_kind() const;
    // Fails where the axis or the calibration is missing: such a model cannot give a score.
    [[nodiscard]] Result<void> check_can_score() const;
};

[[nodiscard]] nn::TensorFile to_tensors(const ModelFile& model);
// Refuses unknown formats, encoders, feature sets and "solis." metadata, missing, additional and
// misshapen tensors, values that are not finite, and an axis or calibration that is none.
[[nodiscard]] Result<ModelFile> from_tensors(nn::TensorFile file);

[[nodiscard]] Result<ModelFile> parse_model(std::string_view bytes);
// The errors name the path.
[[nodiscard]] Result<ModelFile> load_model(const std::filesystem::path& path);
[[nodiscard]] Result<void> save_model(const std::filesystem::path& path, const ModelFile& model);

// Weights of another program: tensors named as in a model file. Metadata may be missing, except
// for the feature set, which may be given here instead.
[[nodiscard]] Result<ModelFile> import_tensors(nn::TensorFile file, std::string_view features);

}  // namespace solis::model
