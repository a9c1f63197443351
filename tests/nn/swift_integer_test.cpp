// The integer swift network: kernels against plain loops, and the whole against the float network.
#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>
#include <hwy/highway.h>

#include "solis/nn/swift/integer.h"
#include "solis/nn/swift/integer_kernels.h"

namespace solis::nn {
namespace {

// Few rows, rows that take half a step of a kernel, and rows of several steps.
constexpr std::size_t kWidths[]{64, 128, 192, 320, 1024};

AlignedVector<std::int16_t> random_shorts(Rng& rng, std::size_t count) {
    AlignedVector<std::int16_t> values(count);
    for (std::int16_t& value : values) value = static_cast<std::int16_t>(rng.next());
    return values;
}

// Sums of rows of two tables, one of them in bytes, modulo 16 bits.
TEST(SwiftIntegerKernels, UpdateAddsAndSubtractsRowsOfBothTables) {
    using List = std::vector<std::uint16_t>;
    Rng rng(Seed{1});
    for (const std::size_t width : kWidths) {
        constexpr std::size_t kRows = 11;
        const AlignedVector<std::int16_t> wide = random_shorts(rng, kRows * width);
        AlignedVector<std::int8_t> bytes(kRows * width);
        for (std::int8_t& value : bytes) value = static_cast<std::int8_t>(rng.next());
        for (const auto& [added, removed, bytes_added, bytes_removed] :
             {std::array<List, 4>{},
              {List{10}, {}, {}, {}},
              {List{}, {0}, {}, {}},
              {List{}, {}, {10}, {}},
              {List{}, {}, {}, {0}},
              {List{3, 3, 10}, {0, 7}, {10, 1, 1}, {0, 0, 5}}}) {
            AlignedVector<std::int16_t> from = random_shorts(rng, width), to(width);
            AlignedVector<std::int16_t> expected = from;
            for (std::size_t i = 0; i < width; ++i) {
                int sum = from[i];
                for (const std::uint16_t row : added) sum += wide[row * width + i];
                for (const std::uint16_t row : removed) sum -= wide[row * width + i];
                for (const std::uint16_t row : bytes_added) sum += bytes[row * width + i];
                for (const std::uint16_t row : bytes_removed) sum -= bytes[row * width + i];
                expected[i] = static_cast<std::int16_t>(sum);
            }
            const auto changes = [](const List& come, const List& gone) {
                return RowChanges{come.data(), come.size(), gone.data(), gone.size()};
            };
            const TableChanges<std::int16_t> of_wide{wide.data(), changes(added, removed)};
            const TableChanges<std::int8_t> of_bytes{bytes.data(),
                                                     changes(bytes_added, bytes_removed)};
            for (const std::int64_t target : hwy::SupportedAndGeneratedTargets()) {
                hwy::SetSupportedTargetsForTest(target);
                update_rows(of_wide, of_bytes, width, from.data(), to.data());
                hwy::SetSupportedTargetsForTest(0);
                EXPECT_EQ(to, expected) << width << " " << hwy::TargetName(target);
            }
            update_rows(of_wide, of_bytes, width, from.data(), from.data());
            EXPECT_EQ(from, expected) << width << ", in place";
        }
    }
}

int activated(int a, int b, int shift) {
    const auto clamped = [&](int x) {
        return std::clamp(x, 0, kAccumulatorOne >> shift) << (shift + kActivationBits);
    };
    return (clamped(a) * clamped(b) + (1 << 14)) >> 15;
}

TEST(SwiftIntegerKernels, ActivationsMatchTheirDefinition) {
    Rng rng(Seed{2});
    for (const std::size_t width : kWidths) {
        for (int shift = 0; shift <= 4; ++shift) {
            AlignedVector<std::int16_t> sums = random_shorts(rng, width);
            // Most values in and around the range that is not clamped, and the extremes.
            for (std::size_t i = 0; i < width; i += 2) {
                sums[i] = static_cast<std::int16_t>(sums[i] % (2 * (kAccumulatorOne >> shift)));
            }
            sums[1] = INT16_MIN, sums[3] = INT16_MAX, sums[5] = 0;
            sums[7] = static_cast<std::int16_t>(kAccumulatorOne >> shift);
            AlignedVector<std::int16_t> squared(width), pairs(width / 2);
            activate_squared(sums.data(), width, shift, squared.data());
            activate_pairs(sums.data(), width, shift, pairs.data());
            for (std::size_t i = 0; i < width; ++i) {
                ASSERT_EQ(squared[i], activated(sums[i], sums[i], shift)) << width << " " << i;
                ASSERT_LE(squared[i], kActivationMax);
            }
            for (std::size_t i = 0; i < width / 2; ++i) {
                ASSERT_EQ(pairs[i], activated(sums[i], sums[i + width / 2], shift)) << i;
            }
        }
    }
}

TEST(SwiftIntegerKernels, OutputLayerIsExactInIntegers) {
    Rng rng(Seed{3});
    // Below one vector, whole blocks of eight vectors, and all kinds of rest.
    for (const std::size_t dims : {8u, 16u, 24u, 32u, 64u, 104u, 128u, 200u, 1024u}) {
        for (const std::size_t hidden : {64u, 192u, 512u}) {
            AlignedVector<std::int16_t> x(hidden), weight(hidden * dims);
            std::vector<float> scale(dims), bias(dims), y(dims);
            // Zeros of both kinds: pairs that are skipped, and one of a pair.
            for (std::size_t k = 2; k < hidden; ++k) {
                const bool is_zero = rng.chance(0.4) || k / 8 % 3 == 0;
                x[k] = is_zero ? 0 : static_cast<std::int16_t>(rng.below(kActivationMax + 1));
            }
            for (auto& value : weight) value = static_cast<std::int16_t>(rng.below(101)) - 50;
            // The largest products that can meet in one pair.
            x[0] = x[1] = kActivationMax;
            for (std::size_t j = 0; j < dims; ++j) {
                weight[2 * j] = weight[2 * j + 1] =
                    static_cast<std::int16_t>(j % 2 ? 30000 : -30000);
                scale[j] = static_cast<float>(rng.unit());
                bias[j] = static_cast<float>(rng.unit());
            }
            output_layer(x.data(), hidden, weight.data(), scale.data(), bias.data(), dims,
                         y.data());
            for (std::size_t j = 0; j < dims; ++j) {
                std::int64_t sum = 0;
                for (std::size_t k = 0; k < hidden; ++k) {
                    sum += x[k] * weight[k / 2 * 2 * dims + 2 * j + k % 2];
                }
                ASSERT_LE(std::abs(sum), INT32_MAX) << "the test asks for too much";
                const double expected = static_cast<double>(bias[j]) +
                                        static_cast<double>(scale[j]) * static_cast<double>(sum);
                ASSERT_NEAR(y[j], expected, 1e-6 * std::abs(expected) + 1e-6)
                    << dims << " " << hidden << " " << j;
            }
        }
    }
}

// Vectors of four, eight and sixteen numbers find pairs and split columns in ways of their own.
TEST(SwiftIntegerKernels, EveryInstructionSetGivesTheSameOutput) {
    Rng rng(Seed{5});
    constexpr std::size_t kHidden = 192, kOutputs = 168;
    for (const double active : {0.0, 0.3, 1.0}) {
        AlignedVector<std::int16_t> x(kHidden), weight(kHidden * kOutputs);
        for (auto& value : x) {
            value = static_cast<std::int16_t>(rng.chance(active) ? 1 + rng.below(99) : 0);
        }
        for (auto& value : weight) value = static_cast<std::int16_t>(rng.below(201)) - 100;
        const std::vector<float> scale(kOutputs, 1.0f), bias(kOutputs, 0.5f);
        const auto output = [&] {
            std::vector<float> y(kOutputs);
            output_layer(x.data(), kHidden, weight.data(), scale.data(), bias.data(), kOutputs,
                         y.data());
            return y;
        };
        const std::vector<float> best = output();
        for (const std::int64_t target : hwy::SupportedAndGeneratedTargets()) {
            hwy::SetSupportedTargetsForTest(target);
            const std::vector<float> own = output();
            hwy::SetSupportedTargetsForTest(0);
            // Sums of this size and half of one are exact as floats.
            EXPECT_EQ(own, best) << hwy::TargetName(target) << ", active " << active;
        }
    }
}

TEST(SwiftIntegerKernels, CosineMatchesItsDefinitionAndSurvivesZero) {
    Rng rng(Seed{4});
    for (const std::size_t dims : {8u, 24u, 64u, 1000u}) {
        std::vector<float> y(dims), axis(dims);
        double along = 0, square = 0;
        for (std::size_t i = 0; i < dims; ++i) {
            y[i] = static_cast<float>(2 * rng.unit() - 1);
            axis[i] = static_cast<float>(2 * rng.unit() - 1);
            along += static_cast<double>(y[i]) * static_cast<double>(axis[i]);
            square += static_cast<double>(y[i]) * static_cast<double>(y[i]);
        }
        EXPECT_NEAR(cosine_with_unit(y.data(), axis.data(), dims), along / std::sqrt(square), 1e-5);
        std::fill(y.begin(), y.end(), 0.0f);
        EXPECT_EQ(cosine_with_unit(y.data(), axis.data(), dims), 0.0f);
    }
}

struct IntegerNetCase {
    int accumulators;
    int dims;
    int buckets;
    SwiftActivation activation;
};

class SwiftIntegerTest : public testing::TestWithParam<IntegerNetCase> {
  protected:
    SwiftIntegerTest() {
        shape_.inputs = 500;
        shape_.accumulators = GetParam().accumulators;
        shape_.dims = GetParam().dims;
        shape_.buckets = GetParam().buckets;
        shape_.activation = GetParam().activation;
    }

    // Sums of 30 weights of at most this size, and the bias.
    static constexpr float kReach = 30 * 0.12f + 0.4f;

    SwiftShape shape_;
    Rng rng_{Seed{5}};
};

// Least cosine between both networks over random inputs.
float least_cosine(const SwiftShape& shape, SwiftNet& net, const InputBounds& bounds, Rng& rng) {
    constexpr std::size_t kRows = 60, kActive = 30;
    const auto integer = SwiftInteger::quantize(shape, net.weights(), bounds);
    EXPECT_TRUE(integer) << integer.error().message;
    if (!integer) return 0;
    const auto dims = static_cast<std::size_t>(shape.dims);
    SparseBatch batch;
    batch.resize(kRows, kActive);
    batch.bucket_ends.assign(static_cast<std::size_t>(shape.buckets), kRows);
    if (shape.buckets > 1) batch.bucket_ends[0] = kRows / 2;
    for (std::size_t i = 0; i < 2 * kRows * kActive; ++i) {
        const auto input = static_cast<int>(rng.below(static_cast<std::uint64_t>(shape.inputs)));
        batch.add(i / kActive / 2, i / kActive % 2, input);
    }
    ThreadPool pool(1);
    std::vector<float> z(kRows * dims), y(dims);
    net.forward(batch, pool, z);
    float least = 1;
    for (std::size_t row = 0; row < kRows; ++row) {
        AlignedVector<std::int16_t> sums[2];
        for (std::size_t view = 0; view < 2; ++view) {
            const auto empty = integer->empty_accumulators();
            sums[view].assign(empty.begin(), empty.end());
            InputChanges changes;
            for (const std::uint16_t input : batch.view(row, view)) {
                const bool is_wide = input < bounds.first_byte;
                RowList& list = is_wide ? changes.wide : changes.bytes;
                list.added[list.added_count++] =
                    static_cast<std::uint16_t>(is_wide ? input : input - bounds.first_byte);
            }
            integer->update(sums[view].data(), changes, sums[view].data());
        }
        const std::size_t bucket = row < batch.bucket_ends[0] ? 0 : 1;
        integer->output(sums[0].data(), sums[1].data(), bucket, y.data());
        const float* const wanted = z.data() + row * dims;
        const float cosine = cosine_with_unit(y.data(), wanted, dims);
        EXPECT_EQ(integer->project(sums[0].data(), sums[1].data(), bucket, wanted), cosine);
        least = std::min(least, cosine);
    }
    return least;
}

TEST_P(SwiftIntegerTest, PointsWhereTheFloatNetworkPoints) {
    SwiftNet net(shape_);
    net.weights().randomize(rng_);
    EXPECT_GT(least_cosine(shape_, net, {kReach}, rng_), 0.99995f);
}

// Half of the inputs in bytes, with weights up to the largest that fit and beyond it.
TEST_P(SwiftIntegerTest, PointsThereWithInputsInBytes) {
    SwiftNet net(shape_);
    net.weights().randomize(rng_);
    const auto width = static_cast<std::size_t>(shape_.accumulators);
    const std::span<float> bytes =
        std::span(net.weights().input_weight.values).subspan(250 * width);
    constexpr float kMost = SwiftInteger::kMostByteWeight;
    for (std::size_t i = 0; i < bytes.size(); i += 7) bytes[i] = i % 2 == 0 ? kMost : -kMost;
    EXPECT_GT(least_cosine(shape_, net, {30 * kMost + 0.4f, 250}, rng_), 0.9995f);
    for (std::size_t i = 0; i < bytes.size(); i += 7) bytes[i] *= 3;
    EXPECT_LT(least_cosine(shape_, net, {90 * kMost + 0.4f, 250}, rng_), 0.9995f)
        << "what does not fit is clipped, so this ought to differ";
}

// What training makes of the output layer: a few units with weights thirty times as large as the
// rest, whose contributions nearly cancel.
TEST_P(SwiftIntegerTest, OutliersInTheOutputWeightsCostNoPrecision) {
    SwiftNet net(shape_);
    net.weights().randomize(rng_);
    const auto dims = static_cast<std::size_t>(shape_.dims);
    std::vector<float>& weight = net.weights().output_weight.values;
    for (std::size_t i = 0; i < weight.size(); ++i) {
        if (i / dims % 32 == 0) weight[i] *= 30;
        if (i / dims % 32 == 1) weight[i] = -weight[i - dims];
    }
    EXPECT_GT(least_cosine(shape_, net, {kReach}, rng_), 0.9999f);
}

TEST_P(SwiftIntegerTest, RefusesSumsThatDoNotFit) {
    SwiftWeights weights(shape_);
    weights.randomize(rng_);
    EXPECT_TRUE(SwiftInteger::quantize(shape_, weights, {100.0f}));
    for (const float reach : {1000.0f, INFINITY, NAN}) {
        const auto refused = SwiftInteger::quantize(shape_, weights, {reach});
        ASSERT_FALSE(refused) << reach;
        EXPECT_NE(refused.error().message.find("do not fit in 16 bits"), std::string::npos);
    }
}

// Weights just above half a step are all rounded up: the float sum fits, that of integers would
// not.
TEST(SwiftInteger, RoundingDoesNotOverflow) {
    SwiftShape shape;
    shape.inputs = 256;
    shape.accumulators = 64;
    shape.dims = 8;
    SwiftWeights weights(shape);
    constexpr float kStep = 1.0f / static_cast<float>(kAccumulatorOne);
    std::fill(weights.input_weight.values.begin(), weights.input_weight.values.end(),
              127.51f * kStep);
    std::fill(weights.input_bias.values.begin(), weights.input_bias.values.end(), 100 * kStep);
    const auto net = SwiftInteger::quantize(shape, weights, {(256 * 127.51f + 100) * kStep});
    ASSERT_TRUE(net) << net.error().message;
    InputChanges changes;
    for (std::uint16_t input = 0; input < 256; ++input) {
        changes.wide.added[changes.wide.added_count++] = input;
    }
    AlignedVector<std::int16_t> sums(64);
    net->update(net->empty_accumulators().data(), changes, sums.data());
    for (const std::int16_t sum : sums) EXPECT_GT(sum, 0);
}

INSTANTIATE_TEST_SUITE_P(Shapes, SwiftIntegerTest,
                         testing::Values(IntegerNetCase{256, 64, 1, SwiftActivation::Squared},
                                         IntegerNetCase{256, 64, 2, SwiftActivation::Pairs},
                                         IntegerNetCase{192, 24, 2, SwiftActivation::Squared},
                                         IntegerNetCase{64, 8, 1, SwiftActivation::Squared},
                                         IntegerNetCase{1024, 128, 1, SwiftActivation::Pairs}));

}  // namespace
}  // namespace solis::nn
