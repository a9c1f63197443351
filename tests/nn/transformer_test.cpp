// The transformer beside its definition in plain loops, its gradients beside differences, threads.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "solis/nn/kernels/gelu.h"
#include "solis/nn/transformer/net.h"
#include "solis/nn/transformer/reference.h"
#include "tests/nn/seeded_transformer.h"

namespace solis::nn {
namespace {

TransformerShape shape_of(int tokens, int dims, int heads, int mlp, int layers) {
    TransformerShape shape;
    shape.vocabulary = 5;
    shape.tokens = tokens;
    shape.dims = dims;
    shape.heads = heads;
    shape.mlp = mlp;
    shape.layers = layers;
    return shape;
}

// Rows that do and do not fill tiles and panels, heads of one and more panels, a single layer.
std::vector<TransformerShape> awkward_shapes() {
    return {shape_of(1, 16, 1, 16, 1),  shape_of(2, 32, 2, 16, 2),  shape_of(6, 32, 1, 48, 3),
            shape_of(15, 48, 3, 32, 2), shape_of(16, 32, 2, 32, 2), shape_of(24, 64, 2, 80, 4),
            shape_of(40, 32, 2, 16, 3), shape_of(77, 64, 4, 32, 2)};
}

std::string text(const TransformerShape& s) {
    return fmt::format("tokens {} dims {} heads {} mlp {} layers {}", s.tokens, s.dims, s.heads,
                       s.mlp, s.layers);
}

TEST(Transformer, PresetsHaveThePapersParameters) {
    EXPECT_EQ(parameter_count(*transformer_preset("mini")), 831'360u);
    EXPECT_EQ(parameter_count(*transformer_preset("base")), 39'019'520u);
    EXPECT_FALSE(transformer_preset("medium"));
}

TEST(Transformer, SizesThatMakeNoNetworkAreRefused) {
    EXPECT_TRUE(shape_of(1, 16, 1, 16, 1).validate());
    for (const TransformerShape& bad :
         {shape_of(0, 16, 1, 16, 1), shape_of(1, 24, 1, 16, 1), shape_of(1, 32, 4, 16, 1),
          shape_of(1, 16, 0, 16, 1), shape_of(1, 16, 1, 20, 1), shape_of(1, 16, 1, 16, 0),
          shape_of(1, 16, -1, 16, 1), shape_of(1, 1 << 20, 1, 16, 1)}) {
        EXPECT_FALSE(bad.validate()) << text(bad);
    }
}

TEST(Transformer, EqualsThePlainLoopsForAwkwardSizes) {
    for (const TransformerShape& shape : awkward_shapes()) {
        ASSERT_TRUE(shape.validate());
        TransformerNet net(shape);
        net.weights().all = seeded_weights(shape, 5, 1.5).all;
        constexpr std::size_t kSamples = 3;
        const auto tokens = seeded_tokens(shape, 5, kSamples);
        const auto dims = static_cast<std::size_t>(shape.dims),
                   length = static_cast<std::size_t>(shape.tokens);
        std::vector<float> z(kSamples * dims), trained(z.size());
        ThreadPool pool(1);
        net.embed(tokens, pool, z);
        net.forward(tokens, {}, pool, trained);
        EXPECT_EQ(z, trained) << text(shape);
        for (std::size_t i = 0; i < kSamples; ++i) {
            const std::vector<double> expected = transformer_reference(
                shape, net.weights(), std::span(tokens).subspan(i * length, length));
            for (std::size_t d = 0; d < dims; ++d) {
                ASSERT_NEAR(static_cast<double>(z[i * dims + d]), expected[d], 1e-5) << text(shape);
            }
        }
    }
}

TEST(Transformer, TheInputTableChangesNothing) {
    const TransformerShape shape = shape_of(15, 48, 3, 32, 3);
    const TransformerWeights weights = seeded_weights(shape, 6, 1.5);
    const auto tokens = seeded_tokens(shape, 6, 4);
    ThreadPool pool(1);
    PackedTransformer computing(shape, weights);
    computing.pack_for_embedding(pool);
    const auto looking =
        PackedTransformer::for_inference(shape, weights, InferencePrecision::Float, pool);
    ASSERT_FALSE(computing.has_input_table());
    ASSERT_TRUE(looking.has_input_table());
    TransformerSlice slice(shape, 4, false);
    std::vector<float> computed(4 * 48), looked_up(4 * 48);
    slice.forward(computing, tokens, {}, 0, computed);
    slice.forward(looking, tokens, {}, 0, looked_up);
    EXPECT_EQ(computed, looked_up);
}

TEST(Transformer, IntegersKeepTheEmbedding) {
    std::vector<TransformerShape> shapes = awkward_shapes();
    shapes.push_back(*transformer_preset("mini"));
    for (const TransformerShape& shape : shapes) {
        const TransformerWeights weights = seeded_weights(shape, 9, 1.7);
        constexpr std::size_t kSamples = 3;
        const auto dims = static_cast<std::size_t>(shape.dims);
        const auto tokens = seeded_tokens(shape, 9, kSamples);
        ThreadPool pool(1);
        const auto floats =
            PackedTransformer::for_inference(shape, weights, InferencePrecision::Float, pool);
        const auto integers =
            PackedTransformer::for_inference(shape, weights, InferencePrecision::Integers, pool);
        TransformerSlice slice(shape, kSamples, false);
        std::vector<float> exact(kSamples * dims), fast(exact.size());
        slice.forward(floats, tokens, {}, 0, exact);
        slice.forward(integers, tokens, {}, 0, fast);
        for (std::size_t i = 0; i < kSamples; ++i) {
            double cosine = 0;
            for (std::size_t d = i * dims; d < (i + 1) * dims; ++d) {
                cosine += static_cast<double>(exact[d]) * static_cast<double>(fast[d]);
            }
            EXPECT_GT(cosine, 0.9999) << text(shape);
        }
        EXPECT_EQ(exact == fast, shape.layers == 1) << text(shape);
    }
}

TEST(Transformer, BytesKeepTheEmbedding) {
    std::vector<TransformerShape> shapes = awkward_shapes();
    shapes.push_back(*transformer_preset("mini"));
    for (const TransformerShape& shape : shapes) {
        const TransformerWeights weights = seeded_weights(shape, 11, 1.7);
        constexpr std::size_t kSamples = 3;
        const auto dims = static_cast<std::size_t>(shape.dims);
        const auto tokens = seeded_tokens(shape, 11, kSamples);
        ThreadPool pool(1);
        const auto exact =
            PackedTransformer::for_inference(shape, weights, InferencePrecision::Float, pool);
        const auto fast =
            PackedTransformer::for_inference(shape, weights, InferencePrecision::Bytes, pool);
        TransformerSlice slice(shape, kSamples, false);
        std::vector<float> z(kSamples * dims), fast_z(z.size());
        slice.forward(exact, tokens, {}, 0, z);
        slice.forward(fast, tokens, {}, 0, fast_z);
        for (std::size_t i = 0; i < kSamples; ++i) {
            double cosine = 0;
            for (std::size_t d = i * dims; d < (i + 1) * dims; ++d) {
                cosine += static_cast<double>(z[d]) * static_cast<double>(fast_z[d]);
            }
            EXPECT_GT(cosine, 0.999) << text(shape);
        }
        EXPECT_EQ(z == fast_z, shape.layers == 1) << text(shape);
    }
}

// A smooth function of z, so that differences can be taken.
double weighted_sum(std::span<const float> z, std::span<const float> factors) {
    double sum = 0;
    for (std::size_t i = 0; i < z.size(); ++i) sum += static_cast<double>(z[i]) * factors[i];
    return sum;
}

TEST(Transformer, GradientsEqualDifferencesWithAndWithoutDropout) {
    for (const float rate : {0.0f, 0.3f}) {
        for (const TransformerShape& shape :
             {shape_of(6, 32, 2, 48, 3), shape_of(2, 16, 1, 16, 1)}) {
            TransformerNet net(shape);
            net.weights().all = seeded_weights(shape, 7, 1.2).all;
            const auto tokens = seeded_tokens(shape, 7, 20);
            const Dropout dropout{rate, 99};
            std::vector<float> z(20 * static_cast<std::size_t>(shape.dims));
            const std::vector<float> factors = seeded_numbers(7, 1, z.size());
            ThreadPool pool(1);
            net.forward(tokens, dropout, pool, z);
            net.backward(factors, pool);
            Rng rng(Seed{4});
            for (std::size_t t = 0; t < net.weights().all.size(); ++t) {
                // Along a random direction: all elements of the tensor at once.
                Tensor& tensor = net.weights().all[t];
                const std::vector<float> before = tensor.values;
                std::vector<float> direction;
                double expected = 0;
                for (std::size_t i = 0; i < before.size(); ++i) {
                    direction.push_back(rng.chance(0.5) ? 1.0f : -1.0f);
                    expected +=
                        static_cast<double>(net.gradients().all[t].values[i]) * direction[i];
                }
                const auto at = [&](float step) {
                    for (std::size_t i = 0; i < before.size(); ++i) {
                        tensor.values[i] = before[i] + step * direction[i];
                    }
                    net.forward(tokens, dropout, pool, z);
                    return weighted_sum(z, factors);
                };
                constexpr float kStep = 1e-3f;
                const double measured = (at(kStep) - at(-kStep)) / (2 * kStep);
                tensor.values = before;
                EXPECT_NEAR(measured, expected, 0.02 * std::max(1.0, std::abs(expected)))
                    << tensor.name << " rate " << rate << " " << text(shape);
            }
        }
    }
}

// The cosine between the gradients of a tensor in floats and in bfloat16.
double gradient_cosine(const Tensor& a, const Tensor& b) {
    double both = 0, own = 0, other = 0;
    for (std::size_t i = 0; i < a.values.size(); ++i) {
        both += static_cast<double>(a.values[i]) * static_cast<double>(b.values[i]);
        own += static_cast<double>(a.values[i]) * static_cast<double>(a.values[i]);
        other += static_cast<double>(b.values[i]) * static_cast<double>(b.values[i]);
    }
    return both / std::sqrt(own * other);
}

TEST(Transformer, BFloat16KeepsTheDirectionOfEveryGradient) {
    std::vector<TransformerShape> shapes = awkward_shapes();
    shapes.push_back(*transformer_preset("mini"));
    for (const float rate : {0.0f, 0.1f}) {
        for (const TransformerShape& shape : shapes) {
            TransformerNet exact(shape), fast(shape, Precision::BFloat16);
            exact.weights().all = fast.weights().all = seeded_weights(shape, 10, 1.2).all;
            constexpr std::size_t kSamples = 17;
            const auto tokens = seeded_tokens(shape, 10, kSamples);
            const Dropout dropout{rate, 5};
            std::vector<float> z(kSamples * static_cast<std::size_t>(shape.dims)), fast_z(z.size());
            const std::vector<float> factors = seeded_numbers(10, 1, z.size());
            ThreadPool pool(1);
            exact.forward(tokens, dropout, pool, z);
            exact.backward(factors, pool);
            fast.forward(tokens, dropout, pool, fast_z);
            fast.backward(factors, pool);
            EXPECT_EQ(z == fast_z, shape.layers == 1) << text(shape);
            for (std::size_t i = 0; i < z.size(); ++i) ASSERT_NEAR(z[i], fast_z[i], 0.03f);
            for (std::size_t t = 0; t < exact.gradients().all.size(); ++t) {
                EXPECT_GT(gradient_cosine(exact.gradients().all[t], fast.gradients().all[t]), 0.999)
                    << exact.gradients().all[t].name << " rate " << rate << " " << text(shape);
            }
            // Embeddings that are not trained on stay exact.
            std::vector<float> embedded(z.size()), fast_embedded(z.size());
            exact.embed(tokens, pool, embedded);
            fast.embed(tokens, pool, fast_embedded);
            EXPECT_EQ(embedded, fast_embedded) << text(shape);
        }
    }
}

class TransformerThreads : public ::testing::TestWithParam<Precision> {};
INSTANTIATE_TEST_SUITE_P(Precisions, TransformerThreads,
                         ::testing::Values(Precision::Float, Precision::BFloat16));

TEST_P(TransformerThreads, DoNotChangeABit) {
    const TransformerShape shape = shape_of(11, 32, 2, 32, 2);
    std::vector<std::vector<float>> results[2];
    for (std::size_t run = 0; run < 2; ++run) {
        TransformerNet net(shape, GetParam());
        net.weights().all = seeded_weights(shape, 8, 1.5).all;
        const auto tokens = seeded_tokens(shape, 8, 75);  // slices of different sizes
        std::vector<float> z(75 * 32);
        ThreadPool pool(run == 0 ? 1 : 3);
        net.forward(tokens, {0.1f, 3}, pool, z);
        net.backward(seeded_numbers(8, 1, z.size()), pool);
        results[run].push_back(z);
        for (const Tensor& tensor : net.gradients().all) results[run].push_back(tensor.values);
        net.embed(tokens, pool, z);
        results[run].push_back(z);
    }
    EXPECT_EQ(results[0], results[1]);
}

TEST(Transformer, DropoutDropsItsShareAndKeepsTheMean) {
    std::vector<float> x(160'000, 1.0f);
    drop(x, 0.1f, 12345);
    std::size_t dropped = 0;
    double sum = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
        dropped += x[i] == 0;
        sum += static_cast<double>(x[i]);
        const bool expected = dropout_hash(12345, static_cast<std::uint32_t>(i)) < 429496729u;
        ASSERT_EQ(x[i] == 0, expected) << i;
    }
    EXPECT_NEAR(static_cast<double>(dropped), 16'000, 500);
    EXPECT_NEAR(sum, 160'000, 600);
}

}  // namespace
}  // namespace solis::nn
