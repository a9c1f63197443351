// Swift encoder <-> tensors and metadata.
#include "solis/model/swift_encoder.h"

#include <array>
#include <utility>

#include <fmt/format.h>

#include "solis/model/tensor_access.h"

namespace solis::model {
namespace {

const std::string kFeatures = "solis.swift.features";
const std::string kActivation = "solis.swift.activation";
const std::string kTail = "solis.swift.tail";  // written where there is one

constexpr std::array kActivations{
    std::pair{nn::SwiftActivation::Squared, std::string_view("squared")},
    std::pair{nn::SwiftActivation::Pairs, std::string_view("pairs")}};

// Sizes that are written down; the number of inputs follows from the features.
constexpr std::array kSwiftSizes{
    std::pair{"solis.swift.accumulators", &nn::SwiftShape::accumulators},
    std::pair{"solis.swift.dims", &nn::SwiftShape::dims},
    std::pair{"solis.swift.buckets", &nn::SwiftShape::buckets}};

std::string_view name_of(nn::SwiftActivation activation) {
    for (const auto& [value, name] : kActivations) {
        if (value == activation) return name;
    }
    return {};
}

Result<nn::SwiftActivation> parse_activation(std::string_view name) {
    for (const auto& [value, known] : kActivations) {
        if (name == known) return value;
    }
    return fail(fmt::format("metadata '{}' is '{}', expected 'squared' or 'pairs'", kActivation,
                            name.substr(0, 40)));
}

Result<data::SwiftFeatureSet> take_features(nn::TensorFile& file) {
    const auto name = require_text(file, kFeatures);
    if (!name) return tl::unexpected(name.error());
    return data::parse_swift_feature_set(std::string_view(*name).substr(0, 40));
}

Result<nn::SwiftShape> take_shape(nn::TensorFile& file, data::SwiftFeatureSet features) {
    nn::SwiftShape shape;
    shape.inputs = data::input_count(features);
    for (const auto& [key, member] : kSwiftSizes) {
        const auto number = require_number(file, key);
        if (!number) return tl::unexpected(number.error());
        shape.*member = *number;
    }
    const auto name = require_text(file, kActivation);
    if (!name) return tl::unexpected(name.error());
    const auto activation = parse_activation(*name);
    if (!activation) return tl::unexpected(activation.error());
    shape.activation = *activation;
    if (file.metadata.count(kTail) != 0) {
        const auto tail = require_number(file, kTail);
        if (!tail) return tl::unexpected(tail.error());
        shape.tail = *tail;
    }
    if (auto ok = shape.validate(); !ok) return tl::unexpected(ok.error());
    return shape;
}

// The tensor, if it has this many dimensions.
Result<const nn::Tensor*> find_with_rank(const nn::TensorFile& file, std::string_view name,
                                         std::size_t rank, std::string_view expected) {
    const nn::Tensor* tensor = file.find(name);
    if (tensor == nullptr) {
        return fail(fmt::format("tensor '{}' of shape {} is missing", name, expected),
                    "a swift encoder has input.weight, input.bias, output.weight, output.bias");
    }
    if (tensor->shape.size() == rank) return tensor;
    return fail(fmt::format("tensor '{}' has shape {}, expected {}", name,
                            nn::shape_text(tensor->shape), expected));
}

}  // namespace

SwiftEncoder::SwiftEncoder(data::SwiftFeatureSet feature_set, nn::SwiftShape net_shape)
    : features(feature_set),
      shape([&] {
          net_shape.inputs = data::input_count(feature_set);
          return net_shape;
      }()),
      weights(shape) {}

SwiftEncoder::SwiftEncoder(data::SwiftFeatureSet feature_set, const nn::SwiftShape& net_shape,
                           nn::SwiftWeights net_weights)
    : features(feature_set), shape(net_shape), weights(std::move(net_weights)) {}

std::size_t SwiftEncoder::parameter_count() const {
    std::size_t count = 0;
    for (const nn::Tensor* tensor : weights.tensors()) count += tensor->values.size();
    return count;
}

void add_swift_encoder(const SwiftEncoder& encoder, nn::TensorFile& file) {
    file.metadata[kFeatures] = data::name_of(encoder.features);
    file.metadata[kActivation] = name_of(encoder.shape.activation);
    for (const auto& [key, member] : kSwiftSizes) {
        file.metadata[key] = fmt::format("{}", encoder.shape.*member);
    }
    if (encoder.shape.tail != 0) file.metadata[kTail] = fmt::format("{}", encoder.shape.tail);
    for (const nn::Tensor* tensor : encoder.weights.tensors()) file.tensors.push_back(*tensor);
}

Result<SwiftEncoder> take_swift_encoder(nn::TensorFile& file) {
    const auto features = take_features(file);
    if (!features) return tl::unexpected(features.error());
    const auto shape = take_shape(file, *features);
    if (!shape) return tl::unexpected(shape.error());
    nn::SwiftWeights weights;
    weights.has_tail = shape->tail != 0;
    const std::vector<nn::TensorSpec> specs = nn::SwiftWeights::specs(*shape);
    const std::vector<nn::Tensor*> wanted = weights.tensors();
    for (std::size_t i = 0; i < wanted.size(); ++i) {
        auto tensor = require_tensor(file, specs[i]);
        if (!tensor) return tl::unexpected(tensor.error());
        *wanted[i] = std::move(*tensor);
    }
    return SwiftEncoder(*features, *shape, std::move(weights));
}

Result<void> add_inferred_swift_metadata(std::string_view features, nn::TensorFile& file) {
    if (!features.empty()) file.metadata[kFeatures] = features;
    if (file.metadata.count(kFeatures) == 0) {
        return fail("the file does not say which inputs the weights are for",
                    "name the feature set: --features pieces|threats|relations|contacts|danger");
    }
    const auto input = find_with_rank(file, "input.weight", 2, "[inputs, accumulators]");
    if (!input) return tl::unexpected(input.error());
    const auto output = find_with_rank(file, "output.weight", 3, "[buckets, hidden, dims]");
    if (!output) return tl::unexpected(output.error());
    const auto add = [&](const std::string& key, std::string value) {
        file.metadata.emplace(key, std::move(value));
    };
    const std::size_t accumulators = (*input)->shape[1];
    const std::size_t hidden = (*output)->shape[1];
    add("solis.swift.accumulators", fmt::format("{}", accumulators));
    add("solis.swift.buckets", fmt::format("{}", (*output)->shape[0]));
    add("solis.swift.dims", fmt::format("{}", (*output)->shape[2]));
    if (file.find("tail.weight") != nullptr) {
        const auto tail = find_with_rank(file, "tail.weight", 3, "[buckets, dims, tail]");
        if (!tail) return tl::unexpected(tail.error());
        add(kTail, fmt::format("{}", (*tail)->shape[2]));
    }
    // Pairs of both views leave as many hidden values as accumulators, squares twice as many.
    add(kActivation, std::string(name_of(hidden == accumulators ? nn::SwiftActivation::Pairs
                                                                : nn::SwiftActivation::Squared)));
    return {};
}

}  // namespace solis::model
