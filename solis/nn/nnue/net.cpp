// The net with weights packed for the kernels.
#include "solis/nn/nnue/net.h"

#include <algorithm>
#include <limits>

#include "solis/nn/nnue/kernels.h"
#include "solis/nn/nnue/tail.h"

namespace solis::nn {
namespace {

// [outputs][depth] -> [depth / 4][outputs][4].
AlignedVector<std::int8_t> pack_quads(std::span<const std::int8_t> weight, std::size_t outputs) {
    const std::size_t depth = weight.size() / outputs;
    AlignedVector<std::int8_t> packed(weight.size());
    for (std::size_t j = 0; j < outputs; ++j) {
        for (std::size_t k = 0; k < depth; ++k) {
            packed[(k / 4 * outputs + j) * 4 + k % 4] = weight[j * depth + k];
        }
    }
    return packed;
}

std::int32_t wrapping_add(std::int32_t a, std::int32_t b) {
    return static_cast<std::int32_t>(static_cast<std::uint32_t>(a) + static_cast<std::uint32_t>(b));
}
std::int32_t wrapping_subtract(std::int32_t a, std::int32_t b) {
    return static_cast<std::int32_t>(static_cast<std::uint32_t>(a) - static_cast<std::uint32_t>(b));
}

}  // namespace

int NnueValue::total() const {
    // A damaged net may leave any number here.
    constexpr std::int64_t kMost = 1'000'000;
    return static_cast<int>(std::clamp((material + positional) / kOutputScale, -kMost, kMost));
}

NnueNet::NnueNet(NnueWeights weights) : weights_(std::move(weights)) {
    std::copy(weights_.bias.begin(), weights_.bias.end(), empty_.sums.begin());
    empty_.psqt.fill(0);
    for (const NnueStack& stack : weights_.stacks) {
        packed_.push_back({pack_quads(stack.hidden_weight, kNnueHidden),
                           pack_quads(stack.tail_weight, kNnueTail)});
    }
}

void NnueNet::update(const NnueAccumulator& from, const NnueChanges& changes,
                     NnueAccumulator& to) const {
    nnue_add_rows(
        weights_.input_weight.data(), kNnueAccumulators, from.sums.data(),
        {changes.added.data(), changes.added_count, changes.removed.data(), changes.removed_count},
        to.sums.data());
    std::array<std::int32_t, kNnueStacks> psqt = from.psqt;
    for (std::size_t n = 0; n < changes.added_count; ++n) {
        const std::int32_t* const row = &weights_.input_psqt[changes.added[n] * kNnueStacks];
        for (std::size_t i = 0; i < kNnueStacks; ++i) psqt[i] = wrapping_add(psqt[i], row[i]);
    }
    for (std::size_t n = 0; n < changes.removed_count; ++n) {
        const std::int32_t* const row = &weights_.input_psqt[changes.removed[n] * kNnueStacks];
        for (std::size_t i = 0; i < kNnueStacks; ++i) psqt[i] = wrapping_subtract(psqt[i], row[i]);
    }
    to.psqt = psqt;
}

NnueValue NnueNet::evaluate(const NnueAccumulator& mover, const NnueAccumulator& other,
                            std::size_t stack) const {
    constexpr std::size_t kHalf = kNnueAccumulators / 2;
    alignas(kCacheLine) std::array<std::uint8_t, kNnueAccumulators> x;
    nnue_multiply_halves(mover.sums.data(), kHalf, x.data());
    nnue_multiply_halves(other.sums.data(), kHalf, x.data() + kHalf);
    alignas(kCacheLine) std::array<std::int32_t, kNnueHidden> y;
    const NnueStack& layers = weights_.stacks[stack];
    const PackedStack& packed = packed_[stack];
    nnue_layer16(x.data(), x.size(), packed.hidden_weight.data(), layers.hidden_bias.data(),
                 y.data());
    alignas(kCacheLine) NnueTailInput tail;
    fill_nnue_tail(y, tail);
    alignas(kCacheLine) std::array<std::int32_t, kNnueTail> hidden;
    nnue_layer32(tail.data(), packed.tail_weight.data(), layers.tail_bias.data(), hidden.data());
    return {nnue_material(mover, other, stack), nnue_positional(layers, y, hidden)};
}

}  // namespace solis::nn
