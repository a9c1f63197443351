// The auxiliary loss of a transformer: gradients beside differences, unknown targets, threads.
#include <algorithm>
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "solis/nn/transformer/net.h"
#include "tests/nn/seeded_transformer.h"

namespace solis::nn {
namespace {

constexpr float kUnknown = std::numeric_limits<float>::quiet_NaN();

TransformerShape small_shape(int layers) {
    TransformerShape shape;
    shape.vocabulary = 5;
    shape.tokens = 6;
    shape.dims = 32;
    shape.heads = 2;
    shape.mlp = 48;
    shape.layers = layers;
    return shape;
}

// Twelve tasks of yes and no, three numbers and one that counts nothing; one in five unknown.
struct Auxiliary {
    Auxiliary(const TransformerShape& shape, std::size_t samples) : loss(shape) {
        for (Tensor* tensor : loss.parameters()) {
            tensor->values = seeded_numbers(3, tensor->values.size(), tensor->values.size());
        }
        for (std::size_t q = 0; q < 15; ++q) tasks[q] = {q < 12, 0.02f * static_cast<float>(q)};
        targets = seeded_numbers(4, 1, samples * shape.rows() * kAuxiliaryTasks);
        for (std::size_t i = 0; i < targets.size(); ++i) {
            if (i % kAuxiliaryTasks < 12) targets[i] = targets[i] > 0 ? 1.0f : 0.0f;
            if (i % 5 == 0) targets[i] = kUnknown;
        }
    }
    AuxiliaryLoss loss;
    AuxiliaryTasks tasks{};
    std::vector<float> targets;
};

// The loss of embeddings and the auxiliary loss together.
double total(TransformerNet& net, Auxiliary& auxiliary, std::span<const std::uint8_t> tokens,
             std::span<const float> factors, ThreadPool& pool) {
    std::vector<float> z(factors.size());
    net.forward(tokens, {}, pool, z);
    auxiliary.loss.set_targets(auxiliary.tasks, auxiliary.targets);
    net.backward(factors, pool, &auxiliary.loss);
    double sum = auxiliary.loss.loss();
    for (std::size_t i = 0; i < z.size(); ++i) sum += static_cast<double>(z[i] * factors[i]);
    return sum;
}

TEST(AuxiliaryLoss, GradientsEqualDifferences) {
    for (const int layers : {1, 3}) {
        const TransformerShape shape = small_shape(layers);
        constexpr std::size_t kSamples = 20;
        TransformerNet net(shape);
        net.weights().all = seeded_weights(shape, 7, 1.2).all;
        Auxiliary auxiliary(shape, kSamples);
        const auto tokens = seeded_tokens(shape, 7, kSamples);
        const std::vector<float> factors = seeded_numbers(7, 1, kSamples * 32);
        ThreadPool pool(1);
        total(net, auxiliary, tokens, factors, pool);
        std::vector<Tensor*> parameters = net.weights().tensors();
        std::vector<Tensor*> gradients = net.gradients().tensors();
        for (Tensor* tensor : auxiliary.loss.parameters()) parameters.push_back(tensor);
        for (Tensor* tensor : auxiliary.loss.gradients()) gradients.push_back(tensor);
        std::vector<std::vector<float>> exact;
        for (const Tensor* tensor : gradients) exact.push_back(tensor->values);
        Rng rng(Seed{4});
        for (std::size_t t = 0; t < parameters.size(); ++t) {
            const std::vector<float> before = parameters[t]->values;
            std::vector<float> direction;
            double expected = 0;
            for (std::size_t i = 0; i < before.size(); ++i) {
                direction.push_back(rng.chance(0.5) ? 1.0f : -1.0f);
                expected += static_cast<double>(exact[t][i] * direction[i]);
            }
            const auto at = [&](float step) {
                for (std::size_t i = 0; i < before.size(); ++i) {
                    parameters[t]->values[i] = before[i] + step * direction[i];
                }
                return total(net, auxiliary, tokens, factors, pool);
            };
            constexpr float kStep = 1e-3f;
            const double measured = (at(kStep) - at(-kStep)) / (2 * kStep);
            parameters[t]->values = before;
            EXPECT_NEAR(measured, expected, 0.02 * std::max(1.0, std::abs(expected)))
                << parameters[t]->name << " layers " << layers;
        }
    }
}

TEST(AuxiliaryLoss, UnknownTargetsAndWeightlessTasksAddNothing) {
    const TransformerShape shape = small_shape(2);
    TransformerNet net(shape);
    net.weights().all = seeded_weights(shape, 2, 1.2).all;
    const auto tokens = seeded_tokens(shape, 2, 3);
    const std::vector<float> factors = seeded_numbers(2, 1, 3 * 32);
    ThreadPool pool(1);
    std::vector<float> z(factors.size());
    net.forward(tokens, {}, pool, z);
    net.backward(factors, pool);
    const std::vector<float> without = net.gradients().all[kPositions].values;
    Auxiliary auxiliary(shape, 3);
    std::fill(auxiliary.targets.begin(), auxiliary.targets.end(), kUnknown);
    for (std::size_t i = 15; i < auxiliary.targets.size(); i += kAuxiliaryTasks)
        auxiliary.targets[i] = 1;
    total(net, auxiliary, tokens, factors, pool);
    EXPECT_EQ(auxiliary.loss.loss(), 0);
    EXPECT_EQ(net.gradients().all[kPositions].values, without);
}

TEST(AuxiliaryLoss, ExtremeOutputsHaveAFiniteLoss) {
    const TransformerShape shape = small_shape(2);
    TransformerNet net(shape);
    net.weights().all = seeded_weights(shape, 2, 1.2).all;
    Auxiliary auxiliary(shape, 3);
    for (Tensor* tensor : auxiliary.loss.parameters()) {
        for (float& value : tensor->values) value *= 1e6f;
    }
    ThreadPool pool(1);
    const std::vector<float> factors(3 * 32, 0.0f);
    EXPECT_TRUE(std::isfinite(total(net, auxiliary, seeded_tokens(shape, 2, 3), factors, pool)));
}

TEST(AuxiliaryLoss, ThreadsDoNotChangeABit) {
    const TransformerShape shape = small_shape(3);
    std::vector<std::vector<float>> results[2];
    for (std::size_t run = 0; run < 2; ++run) {
        TransformerNet net(shape);
        net.weights().all = seeded_weights(shape, 8, 1.5).all;
        Auxiliary auxiliary(shape, 75);
        ThreadPool pool(run == 0 ? 1 : 3);
        total(net, auxiliary, seeded_tokens(shape, 8, 75), seeded_numbers(8, 1, 75 * 32), pool);
        for (const Tensor& tensor : net.gradients().all) results[run].push_back(tensor.values);
        for (const Tensor* tensor : auxiliary.loss.gradients()) {
            results[run].push_back(tensor->values);
        }
    }
    EXPECT_EQ(results[0], results[1]);
}

}  // namespace
}  // namespace solis::nn
