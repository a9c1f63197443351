// Taking the parts of a model file out of tensors and metadata, with errors that name the part.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "solis/base/result.h"
#include "solis/nn/io/safetensors.h"

namespace solis::model {

// Removed from the file; nothing where the file does not have it.
[[nodiscard]] std::optional<std::string> take_text(nn::TensorFile& file, const std::string& key);
[[nodiscard]] std::optional<nn::Tensor> take_tensor(nn::TensorFile& file, std::string_view name);

// The same, where it must be there.
[[nodiscard]] Result<std::string> require_text(nn::TensorFile& file, const std::string& key);
// A decimal number in [0, 1'000'000'000].
[[nodiscard]] Result<int> require_number(nn::TensorFile& file, const std::string& key);
// Of exactly this shape, and finite.
[[nodiscard]] Result<nn::Tensor> require_tensor(nn::TensorFile& file, const nn::TensorSpec& spec);

}  // namespace solis::model
