// A net of Stockfish 15.1's architecture that counts material only.
#pragma once
#include <array>

#include "solis/data/inputs/nnue_features.h"
#include "tests/nn/random_nnue.h"

namespace solis::model {

// In centipawns: the layers say nothing, and the piece-square part is half of the difference of
// both views, in sixteenths of a unit.
inline nn::NnueWeights material_nnue() {
    nn::NnueWeights weights = nn::random_nnue(nn::kNnueInputs, 0, Seed{1});
    constexpr std::array kCentipawns{100, 300, 300, 500, 900};
    for (std::size_t input = 0; input < weights.inputs; ++input) {
        const std::size_t kind = input / 64 % data::kNnueKinds;
        if (kind == data::kNnueKinds - 1) continue;
        const double units = kCentipawns[kind / 2] * 3.61 * 16;
        for (std::size_t stack = 0; stack < nn::kNnueStacks; ++stack) {
            weights.input_psqt[input * nn::kNnueStacks + stack] =
                static_cast<std::int32_t>(kind % 2 == 0 ? units : -units);
        }
    }
    return weights;
}

}  // namespace solis::model
