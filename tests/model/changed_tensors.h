// Models whose files are changed before they are read.
#pragma once
#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "solis/model/model_file.h"

namespace solis::model {

// The error after `change` has been made to the tensors of a model, or "accepted".
template <class Change>
[[nodiscard]] std::string error_after(const ModelFile& complete, Change&& change) {
    nn::TensorFile file = to_tensors(complete);
    change(file);
    const auto model = from_tensors(std::move(file));
    return model ? "accepted" : model.error().message;
}

[[nodiscard]] inline nn::Tensor& tensor(nn::TensorFile& file, std::string_view name) {
    for (nn::Tensor& candidate : file.tensors) {
        if (candidate.name == name) return candidate;
    }
    ADD_FAILURE() << "no tensor " << name;
    return file.tensors[0];
}

}  // namespace solis::model
