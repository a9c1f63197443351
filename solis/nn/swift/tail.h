// The tail of the swift network in integers, for planning: 14-bit inputs and hidden values, int16
// weights.
#pragma once
#include <cstddef>
#include <cstdint>

#include "solis/base/aligned.h"
#include "solis/nn/swift/net.h"

namespace solis::nn {

class SwiftTail {
  public:
    SwiftTail() = default;  // of a network without a tail
    SwiftTail(const SwiftShape& shape, const SwiftWeights& weights);

    [[nodiscard]] bool empty() const { return tail_ == 0; }
    // y, the output of the linear layer, becomes u + tail(u), where u is y divided by its length.
    void add(std::size_t bucket, float* y) const;

  private:
    std::size_t dims_ = 0, tail_ = 0;
    AlignedVector<std::int16_t> weight_;  // [buckets][dims / 2][tail][2]
    AlignedVector<std::int32_t> bias_;    // [buckets][tail]
    AlignedVector<int> shifts_;           // [buckets]
    AlignedVector<std::int16_t> output_;  // [buckets][tail / 2][dims][2]
    AlignedVector<float> output_scale_;   // [buckets][dims]
};

}  // namespace solis::nn
