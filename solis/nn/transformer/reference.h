// The transformer by plain loops in double precision, all rows in all layers: the definition of
// correct, for tests.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "solis/nn/transformer/weights.h"

namespace solis::nn {

// The embedding of one sample, without dropout.
[[nodiscard]] std::vector<double> transformer_reference(const TransformerShape& shape,
                                                        const TransformerWeights& weights,
                                                        std::span<const std::uint8_t> tokens);

}  // namespace solis::nn
