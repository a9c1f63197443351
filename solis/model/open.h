// From a model file to a model ready for use.
#pragma once
#include <memory>
#include <string>

#include "solis/base/result.h"
#include "solis/model/evaluator.h"
#include "solis/model/model_file.h"

namespace solis::model {

// The model in `path`, which may also be a net of Stockfish 15.1 (a teacher, which only scores), or
// the embedded one where the path is empty. Fails where the file is none,
// where it has no axis or calibration, or where it does not fit into integers.
[[nodiscard]] Result<std::shared_ptr<const LoadedModel>> open(const std::string& path);

// The same for a model in memory. What evaluators do not need is given back.
[[nodiscard]] Result<std::shared_ptr<const LoadedModel>> prepare(ModelFile file);

}  // namespace solis::model
