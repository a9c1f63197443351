// The swift network in integers, for planning: int16 accumulators that follow the board move by
// move, 15-bit activations, int16 output weights with one scale per column. The tail, where there
// is one, stays in float: it is small. Inputs that are many, and whose weights are small, may be
// held in 8 bits: what a move has to fetch of a large table is what its update takes.
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

// Inputs that come and go between two positions, as rows of one table of weights.
struct RowList {
    static constexpr std::size_t kMost = 512;

    std::uint16_t added[kMost];
    std::uint16_t removed[kMost];
    std::size_t added_count = 0;
    std::size_t removed_count = 0;

    void clear() { added_count = removed_count = 0; }
};

// Inputs that differ between two positions.
struct InputChanges {
    RowList wide;   // inputs in 16 bits
    RowList bytes;  // inputs in 8 bits, counted from the first of them
};

// What is known of the inputs beside their weights.
struct InputBounds {
    // Bounds the absolute value of every accumulator over all possible inputs, in float.
    float reach = 0;
    // Inputs from this one on are held in 8 bits.
    std::size_t first_byte = SIZE_MAX;
};

class SwiftInteger {
  public:
    // Accumulators that reach no further have 510 steps from 0 to 1 or more.
    static constexpr float kFineReach = 63.5f;
    // With 510 steps, 8 bits hold weights up to this.
    static constexpr float kMostByteWeight = 127.0f / 510;

    // The scale is chosen so that all accumulators fit in 16 bits. Fails where none does. Weights
    // that do not fit in their 8 bits are clipped.
    [[nodiscard]] static Result<SwiftInteger> quantize(const SwiftShape& shape,
                                                       const SwiftWeights& weights,
                                                       const InputBounds& bounds);

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
    AlignedVector<std::int16_t> input_weight_;   // [inputs before first_byte][accumulators]
    AlignedVector<std::int8_t> byte_weight_;     // [inputs from first_byte on][accumulators]
    AlignedVector<std::int16_t> input_bias_;     // [accumulators]
    AlignedVector<std::int16_t> output_weight_;  // [buckets][hidden / 2][dims][2]
    AlignedVector<float> output_scale_;          // [buckets][dims]
    AlignedVector<float> output_bias_;           // [buckets][dims]
    SwiftTail tail_;
};

}  // namespace solis::nn
