// How far the accumulators of a swift network can go from zero, which decides how finely integers
// can tell their values.
#pragma once
#include "solis/data/inputs/swift_features.h"
#include "solis/nn/swift/integer.h"
#include "solis/nn/swift/net.h"

namespace solis::model {

// Largest absolute value that any accumulator can take: at most 32 squares are occupied, each by
// one piece with any of its planes, and in contact with so many others as its kind can be; all
// danger may be there at once.
[[nodiscard]] float accumulator_reach(data::SwiftFeatureSet features,
                                      const nn::SwiftWeights& weights);

// What nn::SwiftInteger::quantize needs to know. Contacts and danger are held in 8 bits: they are
// four of five inputs, and hardly any of their weights is large.
[[nodiscard]] nn::InputBounds input_bounds(data::SwiftFeatureSet features,
                                           const nn::SwiftWeights& weights);

// Clips the weights of contacts and danger to what 8 bits hold, and then those of contacts, in each
// accumulator that can go beyond `limit`, as far as that needs. A few contacts that hardly ever
// occur have the largest weights, and would cost all others their precision. Accumulators that go
// beyond it by their other inputs alone stay as they are.
void limit_reach(data::SwiftFeatureSet features, nn::SwiftWeights& weights, float limit);

}  // namespace solis::model
