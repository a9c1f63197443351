// Checked access to the parts of a tensor file.
#include "solis/model/tensor_access.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include <fmt/format.h>

namespace solis::model {
namespace {

constexpr int kMaxNumber = 1'000'000'000;

}  // namespace

std::optional<std::string> take_text(nn::TensorFile& file, const std::string& key) {
    auto node = file.metadata.extract(key);
    if (node.empty()) return std::nullopt;
    return std::move(node.mapped());
}

std::optional<nn::Tensor> take_tensor(nn::TensorFile& file, std::string_view name) {
    const auto found = std::find_if(file.tensors.begin(), file.tensors.end(),
                                    [&](const nn::Tensor& tensor) { return tensor.name == name; });
    if (found == file.tensors.end()) return std::nullopt;
    nn::Tensor tensor = std::move(*found);
    file.tensors.erase(found);
    return tensor;
}

Result<std::string> require_text(nn::TensorFile& file, const std::string& key) {
    auto text = take_text(file, key);
    if (text) return std::move(*text);
    return fail(fmt::format("metadata '{}' is missing", key),
                "for weights of another program: solis model import");
}

Result<int> require_number(nn::TensorFile& file, const std::string& key) {
    const auto text = require_text(file, key);
    if (!text) return tl::unexpected(text.error());
    int value = 0;
    const char* end = text->data() + text->size();
    const auto [stop, status] = std::from_chars(text->data(), end, value);
    if (status == std::errc{} && stop == end && value >= 0 && value <= kMaxNumber) return value;
    return fail(fmt::format("metadata '{}' is '{}', expected a number", key, text->substr(0, 40)));
}

Result<nn::Tensor> require_tensor(nn::TensorFile& file, const nn::TensorSpec& spec) {
    auto tensor = take_tensor(file, spec.name);
    if (!tensor) {
        return fail(fmt::format("tensor '{}' of shape {} is missing", spec.name,
                                nn::shape_text(spec.shape)),
                    "list what a model holds: solis model info FILE");
    }
    if (tensor->shape != spec.shape) {
        return fail(fmt::format("tensor '{}' has shape {}, expected {}", spec.name,
                                nn::shape_text(tensor->shape), nn::shape_text(spec.shape)),
                    "the weights belong to another architecture or feature set");
    }
    const auto bad = std::find_if_not(tensor->values.begin(), tensor->values.end(),
                                      [](float value) { return std::isfinite(value); });
    if (bad != tensor->values.end()) {
        return fail(fmt::format("tensor '{}' has {} at index {}, expected finite numbers",
                                spec.name, *bad, bad - tensor->values.begin()),
                    "the training run diverged or the file is damaged");
    }
    return std::move(*tensor);
}

}  // namespace solis::model
