// Nets of Stockfish 15.1's architecture with random weights and few inputs.
#pragma once
#include "solis/base/rng.h"
#include "solis/nn/nnue/net.h"

namespace solis::nn {

// Weights lie in [-size, size] as far as their type holds that; `size` 40 keeps most values of a
// position with a dozen pieces between the bounds of the clamps, 32767 leaves them everywhere.
inline NnueWeights random_nnue(std::size_t inputs, int size, Seed seed) {
    Rng rng(seed);
    const auto number = [&](int most) {
        return static_cast<int>(rng.below(static_cast<std::uint64_t>(2 * most + 1))) - most;
    };
    const auto fill = [&](auto& values, int most) {
        for (auto& value : values) {
            value = static_cast<std::remove_reference_t<decltype(value)>>(number(most));
        }
    };
    NnueWeights net;
    net.inputs = inputs;
    net.description = "random";
    net.bias.resize(kNnueAccumulators);
    net.input_weight.resize(inputs * kNnueAccumulators);
    net.input_psqt.resize(inputs * kNnueStacks);
    net.stacks.resize(kNnueStacks);
    fill(net.bias, size);
    fill(net.input_weight, size);
    fill(net.input_psqt, 1000 * size);
    for (NnueStack& stack : net.stacks) {
        stack.hidden_weight.resize(kNnueHidden * kNnueAccumulators);
        fill(stack.hidden_bias, 100 * size);
        fill(stack.hidden_weight, std::min(size, 127));
        fill(stack.tail_bias, 100 * size);
        fill(stack.tail_weight, std::min(size, 127));
        stack.out_bias = number(100 * size);
        fill(stack.out_weight, std::min(size, 127));
    }
    return net;
}

}  // namespace solis::nn
