// The swift network in integers, for planning: int16 accumulators that follow the board move by
// move, 15-bit activations, int16 output weights with one scale per column. The tail, where there
// is one, stays in float: it is small.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "solis/base/aligned.h"
#include "solis/base/result.h"
#include "solis/nn/swift/net.h"
#include "solis/nn/swift/tail.h"

namespace solis::nn {

// Inputs that differ between two positions, as rows of the input table.
struct InputChanges {
    static constexpr std::size_t kMost = 512;

    std::uint16_t added[kMost];
    std::uint16_t removed[kMost];
    std::size_t added_count = 0;
    std::size_t removed_count = 0;
};

class SwiftInteger {
  public:
    // Accumulators that reach no further have 510 steps from 0 to 1 or more.
    static constexpr float kFineReach = 63.5f;

    // `reach` bounds the absolute value of every accumulator over all possible inputs, in float;
    // the scale is chosen so that it fits in 16 bits. Fails where none does.
    [[nodiscard]] static Result<SwiftInteger> quantize(const SwiftShape& shape,
                                                       const SwiftWeights& weights, float reach);

    [[nodiscard]] const SwiftShape& shape() const { return shape_; }
    // int16 values of one view's accumulators.
    [[nodiscard]] std::size_t accumulator_size() const {
        return static_cast<std::size_t>(shape_.accumulators);
    }

    // Accumulators of a view without any piece.
    [[nodiscard]] std::span<const std::int16_t> empty_accumulators() const { return input_bias_; }
    // to = from + added - removed. `to` may be `from`. Both 64-byte aligned.
    void update(const std::int16_t* from, const InputChanges& changes, std::int16_t* to) const;
    // The output before it is normalised: y has `dims` values.
    void output(const std::int16_t* mover, const std::int16_t* opponent, std::size_t bucket,
                float* y) const;
    // <y, axis> / |y|: the projection of the embedding on a unit vector.
    [[nodiscard]] float project(const std::int16_t* mover, const std::int16_t* opponent,
                                std::size_t bucket, const float* axis) const;

  private:
    SwiftInteger() = default;
    void quantize_output(const SwiftWeights& weights);

    SwiftShape shape_;
    int activation_shift_ = 0;                   // clamp at kAccumulatorOne >> this
    AlignedVector<std::int16_t> input_weight_;   // [inputs][accumulators]
    AlignedVector<std::int16_t> input_bias_;     // [accumulators]
    AlignedVector<std::int16_t> output_weight_;  // [buckets][hidden / 2][dims][2]
    AlignedVector<float> output_scale_;          // [buckets][dims]
    AlignedVector<float> output_bias_;           // [buckets][dims]
    SwiftTail tail_;
};

}  // namespace solis::nn
