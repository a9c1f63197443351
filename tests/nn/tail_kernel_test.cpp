// The tail of one position against its definition in plain loops.
#include "solis/nn/swift/tail_kernel.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "solis/base/rng.h"

namespace solis::nn {
namespace {

std::vector<float> random_floats(Rng& rng, std::size_t count) {
    std::vector<float> values(count);
    for (float& value : values) value = static_cast<float>(2 * rng.unit() - 1);
    return values;
}

std::vector<double> add_tail_reference(const TailMatrices& m, const std::vector<float>& y) {
    double square = 0;
    for (const float value : y) square += static_cast<double>(value) * static_cast<double>(value);
    const double length = std::max(std::sqrt(square), 1e-12);
    std::vector<double> result(m.dims);
    for (std::size_t i = 0; i < m.dims; ++i) result[i] = static_cast<double>(y[i]) / length;
    const std::vector<double> unit = result;
    for (std::size_t k = 0; k < m.tail; ++k) {
        double sum = static_cast<double>(m.bias[k]);
        for (std::size_t i = 0; i < m.dims; ++i) {
            sum += unit[i] * static_cast<double>(m.weight[i * m.tail + k]);
        }
        const double hidden = std::pow(std::clamp(sum, 0.0, 1.0), 2);
        for (std::size_t i = 0; i < m.dims; ++i) {
            result[i] += hidden * static_cast<double>(m.output[k * m.dims + i]);
        }
    }
    return result;
}

TEST(TailKernel, MatchesItsDefinitionAtEverySize) {
    Rng rng(Seed{1});
    for (const std::size_t dims : {8, 16, 24, 32, 40, 64, 1024}) {
        for (const std::size_t tail : {16, 32, 48, 64, 80, 1024}) {
            const std::vector<float> weight = random_floats(rng, dims * tail);
            const std::vector<float> bias = random_floats(rng, tail);
            const std::vector<float> output = random_floats(rng, tail * dims);
            const TailMatrices matrices{weight.data(), bias.data(), output.data(), dims, tail};
            std::vector<float> y = random_floats(rng, dims);
            const std::vector<double> expected = add_tail_reference(matrices, y);
            add_tail(matrices, y.data());
            const double bound = 1e-6 * static_cast<double>(tail);
            for (std::size_t i = 0; i < dims; ++i) {
                ASSERT_NEAR(static_cast<double>(y[i]), expected[i], bound) << dims << "x" << tail;
            }
        }
    }
}

TEST(TailKernel, AZeroVectorStaysFinite) {
    const std::vector<float> weight(8 * 16, 1.0f), bias(16, 0.5f), output(16 * 8, 1.0f);
    std::vector<float> y(8, 0.0f);
    add_tail({weight.data(), bias.data(), output.data(), 8, 16}, y.data());
    for (const float value : y) EXPECT_FLOAT_EQ(value, 16 * 0.25f);
}

}  // namespace
}  // namespace solis::nn
