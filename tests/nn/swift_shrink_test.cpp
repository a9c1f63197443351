// A swift network of fewer dimensions, made from a larger one.
#include <cmath>

#include <gtest/gtest.h>

#include "solis/nn/swift/shrink.h"

namespace solis::nn {
namespace {

constexpr std::size_t kPositions = 24;

SwiftShape shape_of(int dims, int tail) {
    SwiftShape shape;
    shape.inputs = 40;
    shape.accumulators = 64;
    shape.dims = dims;
    shape.buckets = 3;
    shape.tail = tail;
    return shape;
}

SparseBatch batch_for(const SwiftShape& shape, Rng& rng) {
    SparseBatch batch;
    batch.resize(kPositions, 4);
    batch.bucket_ends = {8, 16, kPositions};
    for (std::size_t i = 0; i < 2 * kPositions; ++i) {
        for (int k = 0; k < 4; ++k) {
            batch.add(i / 2, i % 2,
                      static_cast<int>(rng.below(static_cast<std::uint64_t>(shape.inputs))));
        }
    }
    return batch;
}

SwiftWeights random_weights(const SwiftShape& shape, Rng& rng) {
    SwiftWeights weights(shape);
    weights.randomize(rng);
    for (float& value : weights.tail_output.values) value = static_cast<float>(rng.unit()) - 0.5f;
    return weights;
}

// Rows of a random orthogonal matrix of `large` dimensions, [small][large]: the first two are the
// first two of both spaces.
std::vector<double> random_place(std::size_t small, std::size_t large, Rng& rng) {
    std::vector<double> rows(small * large);
    for (std::size_t i = 0; i < small; ++i) {
        double* const row = rows.data() + i * large;
        for (std::size_t k = 0; k < large; ++k) row[k] = i < 2 ? 0 : 2 * rng.unit() - 1;
        if (i < 2) row[i] = 1;
        for (std::size_t before = 0; before < i; ++before) {
            double along = 0;
            for (std::size_t k = 0; k < large; ++k) along += row[k] * rows[before * large + k];
            for (std::size_t k = 0; k < large; ++k) row[k] -= along * rows[before * large + k];
        }
        double square = 0;
        for (std::size_t k = 0; k < large; ++k) square += row[k] * row[k];
        for (std::size_t k = 0; k < large; ++k) row[k] /= std::sqrt(square);
    }
    return rows;
}

// from: [rows][small], to: [rows][large].
void place_rows(const std::vector<float>& from, const std::vector<double>& place, std::size_t small,
                std::vector<float>& to) {
    const std::size_t large = place.size() / small;
    for (std::size_t row = 0; row < from.size() / small; ++row) {
        for (std::size_t k = 0; k < large; ++k) {
            double sum = 0;
            for (std::size_t i = 0; i < small; ++i) {
                sum += static_cast<double>(from[row * small + i]) * place[i * large + k];
            }
            to[row * large + k] = static_cast<float>(sum);
        }
    }
}

// The same network in a larger space, of which it fills `place` only.
SwiftWeights placed(const SwiftShape& small_shape, const SwiftWeights& small,
                    const SwiftShape& large_shape, const std::vector<double>& place) {
    const auto dims = static_cast<std::size_t>(small_shape.dims);
    const auto tail = static_cast<std::size_t>(small_shape.tail);
    const auto larger = static_cast<std::size_t>(large_shape.dims);
    SwiftWeights large(large_shape);
    large.input_weight.values = small.input_weight.values;
    large.input_bias.values = small.input_bias.values;
    place_rows(small.output_weight.values, place, dims, large.output_weight.values);
    place_rows(small.output_bias.values, place, dims, large.output_bias.values);
    if (tail == 0) return large;
    for (std::size_t bucket = 0; bucket < 3; ++bucket) {
        for (std::size_t column = 0; column < tail; ++column) {
            for (std::size_t k = 0; k < larger; ++k) {
                double sum = 0;
                for (std::size_t i = 0; i < dims; ++i) {
                    sum += place[i * larger + k] *
                           static_cast<double>(
                               small.tail_weight.values[(bucket * dims + i) * tail + column]);
                }
                large.tail_weight.values[(bucket * larger + k) * tail + column] =
                    static_cast<float>(sum);
            }
        }
    }
    large.tail_bias.values = small.tail_bias.values;
    place_rows(small.tail_output.values, place, dims, large.tail_output.values);
    return large;
}

std::vector<float> embed(const SwiftShape& shape, const SwiftWeights& weights,
                         const SparseBatch& batch) {
    SwiftNet net(shape);
    net.weights() = weights;
    ThreadPool pool(1);
    std::vector<float> z(kPositions * static_cast<std::size_t>(shape.dims));
    net.forward(batch, pool, z);
    return z;
}

float product(const std::vector<float>& z, std::size_t dims, std::size_t a, std::size_t b) {
    float sum = 0;
    for (std::size_t i = 0; i < dims; ++i) sum += z[a * dims + i] * z[b * dims + i];
    return sum;
}

class ShrunkSwift : public testing::TestWithParam<int> {};

// What lies in a few of many dimensions is found again, turned at most, whichever they are; the
// dimensions of the landmarks stay where they are.
TEST_P(ShrunkSwift, KeepsDistancesOfWhatFitsIntoItsDimensions) {
    const SwiftShape small = shape_of(8, GetParam()), large = shape_of(24, GetParam());
    Rng rng(Seed{11});
    const SwiftWeights original = random_weights(small, rng);
    const SwiftWeights wide = placed(small, original, large, random_place(8, 24, rng));
    SwiftWeights shrunk(small);
    ASSERT_TRUE(shrink(large, wide, small, shrunk));

    const SparseBatch batch = batch_for(small, rng);
    const std::vector<float> before = embed(small, original, batch);
    const std::vector<float> after = embed(small, shrunk, batch);
    for (std::size_t a = 0; a < kPositions; ++a) {
        for (std::size_t i = 0; i < 2; ++i) {
            EXPECT_NEAR(after[a * 8 + i], before[a * 8 + i], 1e-4f) << "row " << a;
        }
        for (std::size_t b = 0; b < a; ++b) {
            EXPECT_NEAR(product(after, 8, a, b), product(before, 8, a, b), 1e-4f) << a << ", " << b;
        }
    }
}

TEST_P(ShrunkSwift, KeepsTheDirectionsThatAreUsedMost) {
    const SwiftShape large = shape_of(16, GetParam()), small = shape_of(8, GetParam());
    Rng rng(Seed{12});
    SwiftWeights weights = random_weights(large, rng);
    // Dimensions from 8 on are whispers, so the first eight span nearly all.
    const auto whisper = [&](Tensor& tensor, std::size_t columns) {
        for (std::size_t i = 0; i < tensor.values.size(); ++i) {
            if (i / columns % 16 >= 8) tensor.values[i] *= 1e-3f;
        }
    };
    whisper(weights.output_weight, 1);
    whisper(weights.output_bias, 1);
    if (large.tail != 0) {
        whisper(weights.tail_weight, static_cast<std::size_t>(large.tail));
        whisper(weights.tail_output, 1);
    }
    SwiftWeights shrunk(small);
    ASSERT_TRUE(shrink(large, weights, small, shrunk));
    const SparseBatch batch = batch_for(small, rng);
    const std::vector<float> before = embed(large, weights, batch);
    const std::vector<float> after = embed(small, shrunk, batch);
    for (std::size_t a = 0; a < kPositions; ++a) {
        for (std::size_t b = 0; b < a; ++b) {
            EXPECT_NEAR(product(after, 8, a, b), product(before, 16, a, b), 0.01f) << a << " " << b;
        }
    }
}

INSTANTIATE_TEST_SUITE_P(WithAndWithoutATail, ShrunkSwift, testing::Values(0, 16));

TEST(ShrunkSwiftShapes, DifferInTheirDimensionsOnly) {
    const SwiftShape large = shape_of(16, 16);
    Rng rng(Seed{13});
    const SwiftWeights weights = random_weights(large, rng);
    const auto takes = [&](const SwiftShape& shape) {
        SwiftWeights small(shape);
        return shrink(large, weights, shape, small);
    };
    EXPECT_TRUE(takes(shape_of(8, 16)));
    EXPECT_FALSE(takes(large)) << "the same size";
    EXPECT_FALSE(takes(shape_of(24, 16))) << "more dimensions";
    EXPECT_FALSE(takes(shape_of(8, 32))) << "another tail";
    SwiftShape wider = shape_of(8, 16);
    wider.accumulators = 128;
    EXPECT_FALSE(takes(wider)) << "more accumulators";
}

}  // namespace
}  // namespace solis::nn
