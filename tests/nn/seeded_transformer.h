// Transformers whose weights and inputs follow from a seed, here and in the program that made the
// golden file (tests/golden/make_transformer_golden.py).
#pragma once
#include <cmath>

#include "solis/nn/transformer/weights.h"

namespace solis::nn {

inline std::vector<float> seeded_numbers(std::uint64_t seed, std::uint64_t tensor,
                                         std::size_t count) {
    std::vector<float> values(count);
    for (std::size_t i = 0; i < count; ++i) {
        std::uint64_t z = ((seed << 48) + (tensor << 32) + i) * 0x9E3779B97F4A7C15u;
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
        z ^= z >> 31;
        values[i] = static_cast<float>(z >> 40) / static_cast<float>(1 << 23) - 1;
    }
    return values;
}

inline TransformerWeights seeded_weights(const TransformerShape& shape, std::uint64_t seed,
                                         double gain) {
    TransformerWeights weights(shape);
    for (std::size_t t = 0; t < weights.all.size(); ++t) {
        Tensor& tensor = weights.all[t];
        tensor.values = seeded_numbers(seed, t, tensor.values.size());
        const bool is_norm = tensor.name.find(".norm") != std::string::npos;
        float scale = 1, shift = 0;
        if (tensor.shape.size() == 2 && t != kEmbedding) {
            scale = static_cast<float>(gain / std::sqrt(static_cast<double>(tensor.shape[1])));
        } else if (tensor.shape.size() == 1) {
            scale = 0.1f;
            shift = is_norm && tensor.name.ends_with("weight") ? 1 : 0;
        }
        for (float& value : tensor.values) value = shift + scale * value;
    }
    return weights;
}

inline std::vector<std::uint8_t> seeded_tokens(const TransformerShape& shape, std::uint64_t seed,
                                               std::size_t samples) {
    std::vector<std::uint8_t> tokens;
    for (const float value :
         seeded_numbers(seed, 4000, samples * static_cast<std::size_t>(shape.tokens))) {
        tokens.push_back(
            static_cast<std::uint8_t>((value + 1) / 2 * static_cast<float>(shape.vocabulary)));
    }
    return tokens;
}

}  // namespace solis::nn
