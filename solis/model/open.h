// From a model file to a model ready for use.
#pragma once
#include <memory>
#include <string>

#include "solis/base/result.h"
#include "solis/model/evaluator.h"
#include "solis/model/process/encoder_process.h"

namespace solis::model {

struct ModelFile;

// The model in `path`, which may also be a net of Stockfish 15.1 (a teacher, which only scores), or
// the embedded one where the path is empty. Fails where the file is none,
// where it has no axis or calibration, or where it does not fit into integers.
[[nodiscard]] Result<std::shared_ptr<const LoadedModel>> open(const std::string& path);

// Where a model is: a file, and for one whose encoder is a process (docs/encoders.md) the command
// that starts it.
struct ModelSource {
    std::string path;
    std::string encoder_command{};  // empty: the encoder is in the file
    EncoderProcessOptions process{};
};
// The same; with a command the file must have the axis and calibration of the encoder it starts.
[[nodiscard]] Result<std::shared_ptr<const LoadedModel>> open_from(const ModelSource& source);

// The same for a model in memory (solis/model/model_file.h). What evaluators do not need is given
// back.
[[nodiscard]] Result<std::shared_ptr<const LoadedModel>> prepare(ModelFile file);

}  // namespace solis::model
