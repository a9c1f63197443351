// Quantised swift network: choosing the scales, and putting the kernels together.
#include "solis/nn/swift/integer.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "solis/nn/swift/integer_kernels.h"

namespace solis::nn {
namespace {

constexpr int kMaxShift = 4;
// Below this shift, 8 bits would hold smaller weights than training leaves.
constexpr int kLeastByteShift = 2;
static_assert(SwiftInteger::kMostByteWeight * (kAccumulatorOne >> kLeastByteShift) == 127);
// A sum of integers differs from the rounded sum by up to half for each of its terms: every input
// of one view, and the bias.
constexpr float kMostRounding = 0.5f * static_cast<float>(RowList::kMost + 1);

constexpr double kMaxShort = std::numeric_limits<std::int16_t>::max();
// Largest sum of absolute weights of a column, and what rounding each may add to it.
constexpr double kMaxSum =
    static_cast<double>(std::numeric_limits<std::int32_t>::max()) / kActivationMax;
constexpr double kMaxRounding = 0.5 * static_cast<double>(kMaxHidden);

// Rounded multiples of 1 / scale. Those that do not fit are clipped.
template <class Integer>
AlignedVector<Integer> rounded(std::span<const float> values, float scale) {
    constexpr auto kMost = static_cast<float>(std::numeric_limits<Integer>::max());
    AlignedVector<Integer> integers(values.size());
    // Not lround, which compilers call once for each number.
    for (std::size_t i = 0; i < values.size(); ++i) {
        const float value = std::clamp(values[i] * scale, -kMost, kMost);
        integers[i] = static_cast<Integer>(static_cast<int>(std::nearbyint(value)));
    }
    return integers;
}

RowChanges changes_of(const RowList& list) {
    return {list.added, list.added_count, list.removed, list.removed_count};
}

}  // namespace

Result<SwiftInteger> SwiftInteger::quantize(const SwiftShape& shape, const SwiftWeights& weights,
                                            const InputBounds& bounds) {
    if (auto ok = shape.validate(); !ok) return tl::unexpected(ok.error());
    SwiftInteger net;
    net.shape_ = shape;
    const float reach = bounds.reach;
    const auto rows = static_cast<std::size_t>(shape.inputs);
    const std::size_t wide = std::min(bounds.first_byte, rows) * net.accumulator_size();
    if (bounds.first_byte < rows) net.activation_shift_ = kLeastByteShift;
    constexpr float kMax =
        static_cast<float>(std::numeric_limits<std::int16_t>::max()) - kMostRounding;
    while (net.activation_shift_ < kMaxShift &&
           reach * static_cast<float>(kAccumulatorOne >> net.activation_shift_) > kMax) {
        ++net.activation_shift_;
    }
    const auto one = static_cast<float>(kAccumulatorOne >> net.activation_shift_);
    if (!(reach * one <= kMax)) {
        return fail(fmt::format("input.weight: sums up to {:.1f} do not fit in 16 bits", reach),
                    "train with weight decay");
    }
    const std::span<const float> inputs = weights.input_weight.values;
    net.input_weight_ = rounded<std::int16_t>(inputs.first(wide), one);
    net.byte_weight_ = rounded<std::int8_t>(inputs.subspan(wide), one);
    net.input_bias_ = rounded<std::int16_t>(weights.input_bias.values, one);
    net.quantize_output(weights);
    net.tail_ = SwiftTail(shape, weights);
    return net;
}

// A column's scale is the finest whose sums fit in 32 bits for any activations.
void SwiftInteger::quantize_output(const SwiftWeights& weights) {
    const std::size_t hidden = shape_.hidden(), dims = static_cast<std::size_t>(shape_.dims);
    const auto buckets = static_cast<std::size_t>(shape_.buckets);
    output_weight_.resize(buckets * hidden * dims);
    output_bias_.assign(weights.output_bias.values.begin(), weights.output_bias.values.end());
    output_scale_.resize(buckets * dims);
    // What the activation makes of 1.
    const auto top = static_cast<double>((kAccumulatorOne >> activation_shift_)
                                         << (activation_shift_ + kActivationBits));
    const double one = top * top / 32768;
    for (std::size_t column = 0; column < buckets * dims; ++column) {
        const std::size_t bucket = column / dims, j = column % dims;
        const float* const from = weights.output_weight.values.data() + bucket * hidden * dims + j;
        std::int16_t* const to = output_weight_.data() + bucket * hidden * dims + 2 * j;
        double largest = 1e-20, total = 1e-20;
        for (std::size_t k = 0; k < hidden; ++k) {
            const double size = std::abs(static_cast<double>(from[k * dims]));
            largest = std::max(largest, size);
            total += size;
        }
        const double levels = std::min(kMaxShort / largest, (kMaxSum - kMaxRounding) / total);
        for (std::size_t k = 0; k < hidden; ++k) {
            const long value = std::lround(static_cast<double>(from[k * dims]) * levels);
            to[(k - k % 2) * dims + k % 2] = static_cast<std::int16_t>(value);
        }
        output_scale_[column] = static_cast<float>(1 / (levels * one));
    }
}

void SwiftInteger::update(const std::int16_t* from, const InputChanges& changes,
                          std::int16_t* to) const {
    update_rows({input_weight_.data(), changes_of(changes.wide)},
                {byte_weight_.data(), changes_of(changes.bytes)}, accumulator_size(), from, to);
}

void SwiftInteger::output(const std::int16_t* mover, const std::int16_t* opponent,
                          std::size_t bucket, float* y) const {
    alignas(64) std::int16_t x[kMaxHidden];
    const std::size_t width = accumulator_size(), hidden = shape_.hidden();
    const auto activate =
        shape_.activation == SwiftActivation::Squared ? activate_squared : activate_pairs;
    activate(mover, width, activation_shift_, x);
    activate(opponent, width, activation_shift_, x + hidden / 2);
    const auto dims = static_cast<std::size_t>(shape_.dims);
    output_layer(x, hidden, output_weight_.data() + bucket * hidden * dims,
                 output_scale_.data() + bucket * dims, output_bias_.data() + bucket * dims, dims,
                 y);
    if (!tail_.empty()) tail_.add(bucket, y);
}

float SwiftInteger::project(const std::int16_t* mover, const std::int16_t* opponent,
                            std::size_t bucket, const float* axis) const {
    constexpr std::size_t kMaxDims = 1024;
    alignas(64) float y[kMaxDims];
    output(mover, opponent, bucket, y);
    return cosine_with_unit(y, axis, static_cast<std::size_t>(shape_.dims));
}

}  // namespace solis::nn
