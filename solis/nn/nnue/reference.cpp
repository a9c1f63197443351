// The NNUE net in plain loops, from the layout of the file.
#include "solis/nn/nnue/net.h"
#include "solis/nn/nnue/tail.h"

namespace solis::nn {

NnueAccumulator nnue_sums_reference(const NnueWeights& weights, std::span<const int> active) {
    std::array<std::uint16_t, kNnueAccumulators> sums;
    std::array<std::uint32_t, kNnueStacks> psqt{};
    for (std::size_t i = 0; i < sums.size(); ++i) {
        sums[i] = static_cast<std::uint16_t>(weights.bias[i]);
    }
    for (const int input : active) {
        const auto row = static_cast<std::size_t>(input);
        for (std::size_t i = 0; i < sums.size(); ++i) {
            const std::int16_t weight = weights.input_weight[row * kNnueAccumulators + i];
            sums[i] = static_cast<std::uint16_t>(sums[i] + static_cast<std::uint16_t>(weight));
        }
        for (std::size_t i = 0; i < psqt.size(); ++i) {
            psqt[i] += static_cast<std::uint32_t>(weights.input_psqt[row * kNnueStacks + i]);
        }
    }
    NnueAccumulator result;
    for (std::size_t i = 0; i < sums.size(); ++i) {
        result.sums[i] = static_cast<std::int16_t>(sums[i]);
    }
    for (std::size_t i = 0; i < psqt.size(); ++i) {
        result.psqt[i] = static_cast<std::int32_t>(psqt[i]);
    }
    return result;
}

NnueValue nnue_evaluate_reference(const NnueWeights& weights, const NnueAccumulator& mover,
                                  const NnueAccumulator& other, std::size_t stack) {
    constexpr std::size_t kHalf = kNnueAccumulators / 2;
    std::array<int, kNnueAccumulators> x;
    for (std::size_t j = 0; j < kHalf; ++j) {
        const auto product = [&](const NnueAccumulator& view) {
            return std::clamp<int>(view.sums[j], 0, 127) *
                   std::clamp<int>(view.sums[j + kHalf], 0, 127) / 128;
        };
        x[j] = product(mover);
        x[kHalf + j] = product(other);
    }
    const NnueStack& layers = weights.stacks[stack];
    std::array<std::int32_t, kNnueHidden> y;
    for (std::size_t j = 0; j < kNnueHidden; ++j) {
        std::int64_t sum = layers.hidden_bias[j];
        for (std::size_t k = 0; k < x.size(); ++k) {
            sum += x[k] * layers.hidden_weight[j * x.size() + k];
        }
        y[j] = static_cast<std::int32_t>(sum);  // wraps
    }
    NnueTailInput tail;
    fill_nnue_tail(y, tail);
    std::array<std::int32_t, kNnueTail> hidden;
    for (std::size_t j = 0; j < kNnueTail; ++j) {
        std::int64_t sum = layers.tail_bias[j];
        for (std::size_t k = 0; k < tail.size(); ++k) {
            sum += tail[k] * layers.tail_weight[j * tail.size() + k];
        }
        hidden[j] = static_cast<std::int32_t>(sum);
    }
    return {nnue_material(mover, other, stack), nnue_positional(layers, y, hidden)};
}

}  // namespace solis::nn
