// Sums tensors by place: models of one architecture have the same ones in the same order.
#include "solis/model/average.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

namespace solis::model {
namespace {

// What is averaged, with the metadata that must agree.
nn::TensorFile averaged_part(const ModelFile& model, bool with_axis) {
    ModelFile part(model.encoder);
    if (with_axis) part.axis = model.axis;
    return to_tensors(part);
}

// All sizes of an encoder are in its metadata.
Result<void> check_same_encoder(const nn::TensorFile& first, const nn::TensorFile& other) {
    const auto in = [](const nn::TensorFile& file, const std::string& key) {
        const auto found = file.metadata.find(key);
        return found == file.metadata.end() ? std::string("missing")
                                            : fmt::format("'{}'", found->second);
    };
    auto keys = first.metadata;
    keys.insert(other.metadata.begin(), other.metadata.end());
    for (const auto& [key, text] : keys) {
        if (in(first, key) == in(other, key)) continue;
        return fail(fmt::format("'{}' is {}, but {} in the first model", key, in(other, key),
                                in(first, key)),
                    "average models of one architecture, from one start");
    }
    return {};
}

}  // namespace

Result<ModelFile> average_models(std::span<const ModelFile> models) {
    if (models.size() < 2) return fail("one model has no average", "name two or more");
    if (models[0].process() != nullptr) return fail("the weights are those of another program");
    const bool with_axis = std::all_of(models.begin(), models.end(), [](const ModelFile& model) {
        return model.axis.has_value();
    });
    nn::TensorFile mean = averaged_part(models[0], with_axis);
    std::vector<std::vector<double>> sums;
    for (const nn::Tensor& tensor : mean.tensors) {
        sums.emplace_back(tensor.values.begin(), tensor.values.end());
    }
    for (std::size_t m = 1; m < models.size(); ++m) {
        const nn::TensorFile other = averaged_part(models[m], with_axis);
        if (auto same = check_same_encoder(mean, other); !same) {
            return fail_in(fmt::format("model {}", m + 1), same.error());
        }
        for (std::size_t i = 0; i < sums.size(); ++i) {
            const auto& values = other.tensors[i].values;
            for (std::size_t k = 0; k < values.size(); ++k) {
                sums[i][k] += static_cast<double>(values[k]);
            }
        }
    }
    const auto count = static_cast<double>(models.size());
    for (std::size_t i = 0; i < sums.size(); ++i) {
        std::transform(sums[i].begin(), sums[i].end(), mean.tensors[i].values.begin(),
                       [count](double sum) { return static_cast<float>(sum / count); });
    }
    auto model = from_tensors(std::move(mean));
    if (!model) return model;
    model->endings = models[0].endings;
    model->provenance.training_config = models[0].provenance.training_config;
    return model;
}

}  // namespace solis::model
