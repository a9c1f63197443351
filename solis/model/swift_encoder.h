// The swift encoder's parameters, and how they are written down in a tensor file.
#pragma once
#include "solis/base/result.h"
#include "solis/data/inputs/swift_features.h"
#include "solis/nn/io/safetensors.h"
#include "solis/nn/swift/net.h"

namespace solis::model {

struct SwiftEncoder {
    data::SwiftFeatureSet features = data::SwiftFeatureSet::Threats;
    nn::SwiftShape shape;  // its inputs follow from the features
    nn::SwiftWeights weights;

    // Weights are 0. The shape's inputs are set from the features.
    SwiftEncoder(data::SwiftFeatureSet feature_set, nn::SwiftShape net_shape);
    // The weights must have the shape that follows from the other two.
    SwiftEncoder(data::SwiftFeatureSet feature_set, const nn::SwiftShape& net_shape,
                 nn::SwiftWeights net_weights);
    [[nodiscard]] std::size_t parameter_count() const;
};

// Adds the weights, and the sizes and names as metadata.
void add_swift_encoder(const SwiftEncoder& encoder, nn::TensorFile& file);
// Takes the weights and metadata that add_swift_encoder adds out of `file`. Refuses missing or
// unknown sizes, missing tensors, other shapes and values that are not finite; the error names
// the tensor, what was expected and what was found.
[[nodiscard]] Result<SwiftEncoder> take_swift_encoder(nn::TensorFile& file);

// For files of other programs, which have the tensors but not the metadata: adds what the shapes
// of the tensors tell. `features` may be empty where the metadata has it.
[[nodiscard]] Result<void> add_inferred_swift_metadata(std::string_view features,
                                                       nn::TensorFile& file);

}  // namespace solis::model
