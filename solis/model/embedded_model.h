// The default model, inside the binary.
#pragma once
#include <string_view>

#include "solis/base/result.h"
#include "solis/model/model_file.h"

namespace solis::model {

// The bytes of models/default.safetensors as they were at build time.
[[nodiscard]] std::string_view embedded_model_bytes();

// The model in `path`, or the embedded one where the path is empty.
[[nodiscard]] Result<ModelFile> load_model_or_default(const std::string& path);

}  // namespace solis::model
