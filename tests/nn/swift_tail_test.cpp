// The quantised tail of one position against the definition in plain loops.
#include <algorithm>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "solis/nn/swift/tail.h"

namespace solis::nn {
namespace {

void fill_random(Tensor& tensor, Rng& rng, float limit) {
    for (float& value : tensor.values) value = limit * static_cast<float>(2 * rng.unit() - 1);
}

// u + square(clamp(u x weight + bias, 0, 1)) x output.
std::vector<double> add_tail_reference(const SwiftShape& shape, const SwiftWeights& weights,
                                       std::size_t bucket, const std::vector<float>& y) {
    const auto dims = static_cast<std::size_t>(shape.dims);
    const auto tail = static_cast<std::size_t>(shape.tail);
    double square = 0;
    for (const float value : y) square += static_cast<double>(value) * static_cast<double>(value);
    const double length = std::max(std::sqrt(square), 1e-12);
    std::vector<double> result(dims);
    for (std::size_t i = 0; i < dims; ++i) result[i] = static_cast<double>(y[i]) / length;
    const std::vector<double> unit = result;
    const auto at = [&](const Tensor& tensor, std::size_t i) {
        const std::size_t size = tensor.values.size() / tensor.shape[0];
        return static_cast<double>(tensor.values[bucket * size + i]);
    };
    for (std::size_t k = 0; k < tail; ++k) {
        double sum = at(weights.tail_bias, k);
        for (std::size_t i = 0; i < dims; ++i)
            sum += unit[i] * at(weights.tail_weight, i * tail + k);
        const double hidden = std::pow(std::clamp(sum, 0.0, 1.0), 2);
        for (std::size_t i = 0; i < dims; ++i) {
            result[i] += hidden * at(weights.tail_output, k * dims + i);
        }
    }
    return result;
}

SwiftShape shape_with(int dims, int tail) {
    SwiftShape shape;
    shape.inputs = 1;
    shape.accumulators = 64;
    shape.dims = dims;
    shape.buckets = 2;
    shape.tail = tail;
    return shape;
}

TEST(SwiftTail, MatchesItsDefinitionAtEverySize) {
    Rng rng(Seed{1});
    for (const int dims : {8, 16, 24, 32, 40, 64, 1024}) {
        for (const int tail : {16, 32, 48, 64, 80, 128, 272, 1024}) {
            const SwiftShape shape = shape_with(dims, tail);
            ASSERT_TRUE(shape.validate());
            SwiftWeights weights(shape);
            fill_random(weights.tail_weight, rng, 3);
            fill_random(weights.tail_bias, rng, 1);
            fill_random(weights.tail_output, rng, 0.5f);
            const SwiftTail quantized(shape, weights);
            std::vector<float> y(static_cast<std::size_t>(dims));
            for (float& value : y) value = static_cast<float>(rng.unit()) - 0.3f;
            const std::vector<double> expected = add_tail_reference(shape, weights, 1, y);
            quantized.add(1, y.data());
            // Inputs and hidden values are rounded to 2^-14, weights to steps that grow with the
            // sum of their column; errors of different signs add up with the root of their number.
            const double bound = 4e-4 * std::sqrt(tail + dims) + 1.5e-6 * std::pow(tail, 1.5);
            for (std::size_t i = 0; i < y.size(); ++i) {
                ASSERT_NEAR(static_cast<double>(y[i]), expected[i], bound) << dims << "x" << tail;
            }
        }
    }
}

// The largest sums there can be, with one sign throughout.
TEST(SwiftTail, SumsStayInTheirRange) {
    const SwiftShape shape = shape_with(8, 1024);
    SwiftWeights weights(shape);
    for (Tensor* tensor : {&weights.tail_weight, &weights.tail_bias, &weights.tail_output}) {
        std::fill(tensor->values.begin(), tensor->values.end(), 100.0f);
    }
    const SwiftTail quantized(shape, weights);
    std::vector<float> y(8, 1.0f);
    quantized.add(0, y.data());
    for (const float value : y) EXPECT_NEAR(value, 1024 * 100, 500);
}

TEST(SwiftTail, AZeroVectorStaysFinite) {
    const SwiftShape shape = shape_with(8, 16);
    SwiftWeights weights(shape);
    std::fill(weights.tail_bias.values.begin(), weights.tail_bias.values.end(), 0.5f);
    std::fill(weights.tail_output.values.begin(), weights.tail_output.values.end(), 1.0f);
    std::vector<float> y(8, 0.0f);
    SwiftTail(shape, weights).add(0, y.data());
    for (const float value : y) EXPECT_NEAR(value, 16 * 0.25f, 1e-3f);
}

}  // namespace
}  // namespace solis::nn
