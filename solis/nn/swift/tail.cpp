// Choosing the scales of the quantised tail.
#include "solis/nn/swift/tail.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include "solis/nn/counts.h"
#include "solis/nn/swift/tail_kernel.h"

namespace solis::nn {
namespace {

constexpr double kMaxTailWeight = std::numeric_limits<std::int16_t>::max();
// Largest sum of products of a column, with room for what rounding adds to it.
constexpr double kMaxTailSum = 0.9 * std::numeric_limits<std::int32_t>::max();

// A column of a [rows][columns] matrix.
struct Column {
    std::span<const float> matrix;
    std::size_t columns, at;

    [[nodiscard]] std::size_t rows() const { return matrix.size() / columns; }
    [[nodiscard]] double operator[](std::size_t row) const {
        return static_cast<double>(matrix[row * columns + at]);
    }
    // The sum over rows of |weight|^power.
    [[nodiscard]] double total(int power) const {
        double sum = 1e-30;
        for (std::size_t k = 0; k < rows(); ++k) sum += std::pow(std::abs((*this)[k]), power);
        return sum;
    }
    [[nodiscard]] double largest() const {
        double most = 1e-30;
        for (std::size_t k = 0; k < rows(); ++k) most = std::max(most, std::abs((*this)[k]));
        return most;
    }
    // As integers, into [rows / 2][columns][2].
    void quantize(double levels, std::int16_t* to) const {
        for (std::size_t k = 0; k < rows(); ++k) {
            to[(k - k % 2) * columns + 2 * at + k % 2] =
                static_cast<std::int16_t>(std::lround((*this)[k] * levels));
        }
    }
};

// One power of two for all columns, so that hidden values are a shift away from sums. Inputs have
// length 1, so no sum is larger than the length of its column; the bias comes on top.
int quantize_weights(std::span<const float> weight, std::span<const float> bias, std::int16_t* to,
                     std::int32_t* to_bias) {
    const std::size_t columns = bias.size();
    double levels = kTailOne;
    for (std::size_t j = 0; j < columns; ++j) {
        const Column column{weight, columns, j};
        const double reach = std::sqrt(column.total(2)) + std::abs(static_cast<double>(bias[j]));
        levels =
            std::min({levels, kMaxTailWeight / column.largest(), kMaxTailSum / (kTailOne * reach)});
    }
    const int shift = std::max(0, static_cast<int>(std::floor(std::log2(levels))));
    for (std::size_t j = 0; j < columns; ++j) {
        Column{weight, columns, j}.quantize(std::exp2(shift), to);
        to_bias[j] = static_cast<std::int32_t>(
            std::lround(static_cast<double>(bias[j]) * std::exp2(shift + kTailBits)));
    }
    return shift;
}

// Columns have the finest levels whose sums fit in 32 bits: hidden values are at most 1.
void quantize_output(std::span<const float> output, std::size_t columns, std::int16_t* to,
                     float* scale) {
    for (std::size_t j = 0; j < columns; ++j) {
        const Column column{output, columns, j};
        const double levels =
            std::min(kMaxTailWeight / column.largest(), kMaxTailSum / (kTailOne * column.total(1)));
        column.quantize(levels, to);
        scale[j] = static_cast<float>(1 / (levels * kTailOne));
    }
}

}  // namespace

SwiftTail::SwiftTail(const SwiftShape& shape, const SwiftWeights& weights)
    : dims_(size(shape.dims)), tail_(size(shape.tail)) {
    if (empty()) return;
    const std::size_t buckets = size(shape.buckets), matrix = dims_ * tail_;
    weight_.resize(buckets * matrix);
    bias_.resize(buckets * tail_);
    shifts_.resize(buckets);
    output_.resize(buckets * matrix);
    output_scale_.resize(buckets * dims_);
    for (std::size_t bucket = 0; bucket < buckets; ++bucket) {
        const auto part = [&](const Tensor& tensor, std::size_t size) {
            return std::span(tensor.values).subspan(bucket * size, size);
        };
        shifts_[bucket] =
            quantize_weights(part(weights.tail_weight, matrix), part(weights.tail_bias, tail_),
                             weight_.data() + bucket * matrix, bias_.data() + bucket * tail_);
        quantize_output(part(weights.tail_output, matrix), dims_, output_.data() + bucket * matrix,
                        output_scale_.data() + bucket * dims_);
    }
}

void SwiftTail::add(std::size_t bucket, float* y) const {
    const std::size_t matrix = bucket * dims_ * tail_;
    add_tail({weight_.data() + matrix, bias_.data() + bucket * tail_, shifts_[bucket],
              output_.data() + matrix, output_scale_.data() + bucket * dims_, dims_, tail_},
             y);
}

}  // namespace solis::nn
