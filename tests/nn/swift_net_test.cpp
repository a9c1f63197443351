// The swift network: unit outputs, gradients against differences, thread independence.
#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "solis/nn/swift/net.h"

namespace solis::nn {
namespace {

constexpr std::size_t kRows = 30;

SwiftShape small_shape(SwiftActivation activation, int tail = 0) {
    SwiftShape shape;
    shape.tail = tail;
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

struct NetCase {
    SwiftActivation activation;
    int tail;
};

class SwiftNetTest : public testing::TestWithParam<NetCase> {
  protected:
    SwiftNetTest()
        : shape_(small_shape(GetParam().activation, GetParam().tail)), net_(shape_), rng_(Seed{3}) {
        net_.weights().randomize(rng_);
        // A tail starts without a say; here it has one.
        for (float& value : net_.weights().tail_output.values) {
            value = static_cast<float>(rng_.unit()) - 0.5f;
        }
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
            const float old = weight, step = 1e-3f;
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

INSTANTIATE_TEST_SUITE_P(Shapes, SwiftNetTest,
                         testing::Values(NetCase{SwiftActivation::Squared, 0},
                                         NetCase{SwiftActivation::Pairs, 0},
                                         NetCase{SwiftActivation::Squared, 16}));

TEST(SwiftShape, RefusesSizesTheKernelsDoNotTake) {
    SwiftShape shape = small_shape(SwiftActivation::Squared);
    EXPECT_TRUE(shape.validate());
    shape.accumulators = 100;
    EXPECT_FALSE(shape.validate());
    shape = small_shape(SwiftActivation::Squared);
    shape.dims = 0;
    EXPECT_FALSE(shape.validate());
    EXPECT_TRUE(small_shape(SwiftActivation::Squared, 32).validate());
    EXPECT_FALSE(small_shape(SwiftActivation::Squared, 8).validate());
}

// A network of `small`, and one of `large` that has grown from it, embed the same; what is new in
// `large` gets a gradient through `listening`, one of its weights.
void expect_grows(const SwiftShape& small_shape, const SwiftShape& large_shape,
                  float& (*listening)(SwiftWeights&)) {
    Rng rng(Seed{5});
    SwiftNet small(small_shape), large(large_shape);
    small.weights().randomize(rng);
    large.weights().randomize(rng);
    for (float& value : small.weights().tail_output.values) value = 0.1f;
    ASSERT_TRUE(grow(small_shape, small.weights(), large_shape, large.weights()));

    ThreadPool pool(1);
    const SparseBatch batch = random_batch(small_shape, rng);
    const std::size_t values = kRows * static_cast<std::size_t>(small_shape.dims);
    std::vector<float> before(values), after(values), d_z(values);
    small.forward(batch, pool, before);
    large.forward(batch, pool, after);
    for (std::size_t i = 0; i < values; ++i) EXPECT_NEAR(before[i], after[i], 1e-5f) << i;

    for (std::size_t i = 0; i < values; ++i) d_z[i] = static_cast<float>(rng.unit());
    large.backward(batch, after, d_z, pool);
    EXPECT_NE(listening(large.gradients()), 0.0f);
}

// Where the first new accumulator of a network with 64 speaks to the output.
float& first_new_output(SwiftWeights& weights) {
    return weights.output_weight.values[64u * weights.output_weight.shape[2]];
}

TEST(GrownSwift, EmbedsAsTheNarrowOneAndCanLearn) {
    SwiftShape wide = small_shape(SwiftActivation::Squared);
    wide.accumulators = 128;
    expect_grows(small_shape(SwiftActivation::Squared), wide, first_new_output);
}

// New inputs change nothing when they are active, and learn.
TEST(GrownSwift, EmbedsAsTheOneWithFewerInputsAndCanLearn) {
    for (const int accumulators : {64, 128}) {
        const SwiftShape known_shape = small_shape(SwiftActivation::Squared);
        SwiftShape large_shape = known_shape;
        large_shape.inputs += 2;
        large_shape.accumulators = accumulators;
        Rng rng(Seed{6});
        SwiftNet small(known_shape), large(large_shape);
        small.weights().randomize(rng);
        large.weights().randomize(rng);
        ASSERT_TRUE(grow(known_shape, small.weights(), large_shape, large.weights()));
        ThreadPool pool(1);
        const SparseBatch batch = random_batch(known_shape, rng);
        SparseBatch with_new = batch;
        with_new.resize(kRows, batch.slots + 1);
        for (std::size_t view = 0; view < 2 * kRows; ++view) {
            for (const std::uint16_t input : batch.view(view / 2, view % 2)) {
                with_new.add(view / 2, view % 2, input);
            }
            with_new.add(view / 2, view % 2, known_shape.inputs + 1);
        }
        const std::size_t values = kRows * static_cast<std::size_t>(known_shape.dims);
        std::vector<float> before(values), after(values), d_z(values);
        small.forward(batch, pool, before);
        large.forward(with_new, pool, after);
        for (std::size_t i = 0; i < values; ++i) ASSERT_NEAR(before[i], after[i], 1e-5f) << i;
        for (float& value : d_z) value = static_cast<float>(rng.unit());
        large.backward(with_new, after, d_z, pool);
        const auto width = static_cast<std::size_t>(accumulators);
        const auto row = [&](std::size_t input) {
            return std::span(large.gradients().input_weight.values).subspan(input * width, width);
        };
        const auto known = static_cast<std::size_t>(known_shape.inputs);
        const auto is_zero = [](float value) { return value == 0; };
        EXPECT_TRUE(std::ranges::all_of(row(known), is_zero)) << "an input that was never active";
        EXPECT_FALSE(std::ranges::all_of(row(known + 1), is_zero));
    }
}

TEST(GrownSwift, EmbedsAsTheOneWithoutATailAndCanLearn) {
    expect_grows(small_shape(SwiftActivation::Pairs), small_shape(SwiftActivation::Pairs, 32),
                 [](SwiftWeights& weights) -> float& { return weights.tail_output.values[0]; });
}

TEST(GrownSwift, KeepsTheTailItHas) {
    SwiftShape wide = small_shape(SwiftActivation::Squared, 16);
    wide.accumulators = 128;
    expect_grows(small_shape(SwiftActivation::Squared, 16), wide, first_new_output);
}

TEST(GrownSwift, TakesNothingFromANetworkThatDiffersInMore) {
    const SwiftShape small = small_shape(SwiftActivation::Squared);
    const auto takes = [&](SwiftShape large_shape) {
        SwiftWeights weights(small), large(large_shape);
        return grow(small, weights, large_shape, large);
    };
    SwiftShape large = small;
    EXPECT_FALSE(takes(large)) << "the same size";
    large.accumulators = 128;
    EXPECT_TRUE(takes(large));
    large.dims = 16;
    EXPECT_FALSE(takes(large)) << "other dimensions";
    large.dims = small.dims;
    large.activation = SwiftActivation::Pairs;
    EXPECT_FALSE(takes(large)) << "another activation";
    SwiftWeights with_tail(small_shape(SwiftActivation::Squared, 16)), without(small);
    EXPECT_FALSE(grow(small_shape(SwiftActivation::Squared, 16), with_tail, small, without))
        << "fewer layers";
}

}  // namespace
}  // namespace solis::nn
