// The swift network: unit outputs, gradients against differences, thread independence.
#include <cmath>

#include <gtest/gtest.h>

#include "solis/nn/swift/net.h"

namespace solis::nn {
namespace {

constexpr std::size_t kRows = 30;

SwiftShape small_shape(SwiftActivation activation) {
    SwiftShape shape;
    shape.inputs = 40;
    shape.accumulators = 64;
    shape.dims = 8;
    shape.buckets = 3;
    shape.activation = activation;
    return shape;
}

SparseBatch random_batch(const SwiftShape& shape, Rng& rng) {
    SparseBatch batch;
    batch.resize(kRows, 5);
    batch.bucket_ends = {10, 10, kRows};  // the middle bucket is empty
    for (std::size_t i = 0; i < 2 * kRows; ++i) {
        const std::size_t inputs = 3 + i % 3;
        for (std::size_t k = 0; k < inputs; ++k) {
            batch.add(i / 2, i % 2,
                      static_cast<int>(rng.below(static_cast<std::uint64_t>(shape.inputs))));
        }
    }
    return batch;
}

// A smooth function of z: sum of coefficient * z + z^3.
double objective(std::span<const float> z, std::span<const float> coefficients) {
    double sum = 0;
    for (std::size_t i = 0; i < z.size(); ++i) {
        const double value = static_cast<double>(z[i]);
        sum += static_cast<double>(coefficients[i]) * value + value * value * value;
    }
    return sum;
}

class SwiftNetTest : public testing::TestWithParam<SwiftActivation> {
  protected:
    SwiftNetTest() : shape_(small_shape(GetParam())), net_(shape_), rng_(Seed{3}) {
        net_.weights().randomize(rng_);
        batch_ = random_batch(shape_, rng_);
        z_.resize(kRows * static_cast<std::size_t>(shape_.dims));
        for (std::size_t i = 0; i < z_.size(); ++i) {
            coefficients_.push_back(static_cast<float>(2 * rng_.unit() - 1));
        }
    }

    double loss(ThreadPool& pool) {
        net_.forward(batch_, pool, z_);
        return objective(z_, coefficients_);
    }
    void backward(ThreadPool& pool) {
        std::vector<float> d_z(z_.size());
        for (std::size_t i = 0; i < z_.size(); ++i) {
            d_z[i] = coefficients_[i] + 3 * z_[i] * z_[i];
        }
        net_.backward(batch_, z_, d_z, pool);
    }

    SwiftShape shape_;
    SwiftNet net_;
    Rng rng_;
    SparseBatch batch_;
    std::vector<float> z_;
    std::vector<float> coefficients_;
};

TEST_P(SwiftNetTest, OutputsHaveLengthOne) {
    ThreadPool pool(1);
    (void)loss(pool);
    const auto dims = static_cast<std::size_t>(shape_.dims);
    for (std::size_t row = 0; row < kRows; ++row) {
        float length = 0;
        for (std::size_t i = 0; i < dims; ++i) length += z_[row * dims + i] * z_[row * dims + i];
        EXPECT_NEAR(length, 1.0f, 1e-5f);
    }
}

TEST_P(SwiftNetTest, GradientMatchesDifferences) {
    ThreadPool pool(1);
    (void)loss(pool);
    backward(pool);
    const std::vector<Tensor*> weights = net_.weights().tensors();
    const std::vector<Tensor*> gradients = net_.gradients().tensors();
    for (std::size_t t = 0; t < weights.size(); ++t) {
        double error = 0, size = 0;
        for (int sample = 0; sample < 60; ++sample) {
            const std::size_t i = rng_.below(weights[t]->values.size());
            float& weight = weights[t]->values[i];
            const float old = weight, step = 3e-3f;
            weight = old + step;
            const double above = loss(pool);
            weight = old - step;
            const double below = loss(pool);
            weight = old;
            const double difference = (above - below) / (2 * static_cast<double>(step));
            error += std::pow(difference - static_cast<double>(gradients[t]->values[i]), 2);
            size += difference * difference;
        }
        EXPECT_GT(size, 0.0) << weights[t]->name;
        EXPECT_LT(std::sqrt(error / size), 0.01) << weights[t]->name;
    }
}

TEST_P(SwiftNetTest, ThreadsDoNotChangeABit) {
    ThreadPool one(1), three(3);
    (void)loss(one);
    backward(one);
    const std::vector<float> z = z_;
    std::vector<std::vector<float>> expected;
    for (const Tensor* tensor : net_.gradients().tensors()) expected.push_back(tensor->values);
    (void)loss(three);
    backward(three);
    EXPECT_EQ(z_, z);
    const std::vector<Tensor*> gradients = net_.gradients().tensors();
    for (std::size_t t = 0; t < expected.size(); ++t) {
        EXPECT_EQ(gradients[t]->values, expected[t]) << gradients[t]->name;
    }
}

INSTANTIATE_TEST_SUITE_P(Activations, SwiftNetTest,
                         testing::Values(SwiftActivation::Squared, SwiftActivation::Pairs));

TEST(SwiftShape, RefusesSizesTheKernelsDoNotTake) {
    SwiftShape shape = small_shape(SwiftActivation::Squared);
    EXPECT_TRUE(shape.validate());
    shape.accumulators = 100;
    EXPECT_FALSE(shape.validate());
    shape = small_shape(SwiftActivation::Squared);
    shape.dims = 0;
    EXPECT_FALSE(shape.validate());
}

TEST(WidenedSwift, EmbedsAsTheNarrowOneAndCanLearn) {
    const SwiftShape narrow_shape = small_shape(SwiftActivation::Squared);
    SwiftShape wide_shape = narrow_shape;
    wide_shape.accumulators = 128;
    Rng rng(Seed{5});
    SwiftNet narrow(narrow_shape), wide(wide_shape);
    narrow.weights().randomize(rng);
    wide.weights().randomize(rng);
    ASSERT_TRUE(widen(narrow_shape, narrow.weights(), wide_shape, wide.weights()));

    ThreadPool pool(1);
    const SparseBatch batch = random_batch(narrow_shape, rng);
    const std::size_t values = kRows * static_cast<std::size_t>(narrow_shape.dims);
    std::vector<float> before(values), after(values), d_z(values);
    narrow.forward(batch, pool, before);
    wide.forward(batch, pool, after);
    for (std::size_t i = 0; i < values; ++i) EXPECT_NEAR(before[i], after[i], 1e-5f) << i;

    // What is new gets a gradient: at its outputs, through which its inputs learn a step later.
    for (std::size_t i = 0; i < values; ++i) d_z[i] = static_cast<float>(rng.unit());
    wide.backward(batch, after, d_z, pool);
    const std::size_t new_output = 64u * static_cast<std::size_t>(wide_shape.dims);
    EXPECT_NE(wide.gradients().output_weight.values[new_output], 0.0f);
}

TEST(WidenedSwift, TakesNothingFromANetworkThatDiffersInMore) {
    const SwiftShape narrow_shape = small_shape(SwiftActivation::Squared);
    SwiftWeights narrow(narrow_shape);
    const auto takes = [&](SwiftShape wide_shape) {
        SwiftWeights wide(wide_shape);
        return widen(narrow_shape, narrow, wide_shape, wide);
    };
    SwiftShape wide_shape = narrow_shape;
    EXPECT_FALSE(takes(wide_shape)) << "as wide";
    wide_shape.accumulators = 128;
    EXPECT_TRUE(takes(wide_shape));
    wide_shape.dims = 16;
    EXPECT_FALSE(takes(wide_shape)) << "other dimensions";
    wide_shape.dims = narrow_shape.dims;
    wide_shape.activation = SwiftActivation::Pairs;
    EXPECT_FALSE(takes(wide_shape)) << "another activation";
}

}  // namespace
}  // namespace solis::nn
