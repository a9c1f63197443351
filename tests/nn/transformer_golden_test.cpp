// The transformer beside PyTorch: embeddings and gradients of the golden file.
#include <map>

#include <gtest/gtest.h>

#include "solis/nn/io/npz.h"
#include "solis/nn/transformer/net.h"
#include "tests/nn/seeded_transformer.h"

namespace solis::nn {
namespace {

struct GoldenCase {
    const char* name;
    TransformerShape shape;
    std::uint64_t seed;
    double gain;
    std::size_t samples;
};

TransformerShape tiny_shape() {
    TransformerShape shape;
    shape.vocabulary = 9;
    shape.tokens = 11;
    shape.dims = 32;
    shape.heads = 2;
    shape.mlp = 48;
    shape.layers = 3;
    return shape;
}

const std::vector<GoldenCase>& cases() {
    static const std::vector<GoldenCase> all{
        {"tiny", tiny_shape(), 1, 1.7, 5},
        {"extreme", tiny_shape(), 2, 30, 5},
        {"mini", *transformer_preset("mini"), 3, 1.7, 3},
        {"base", *transformer_preset("base"), 4, 1.7, 1},
    };
    return all;
}

class TransformerGolden : public testing::Test {
  protected:
    void SetUp() override {
        auto arrays = read_npz(std::string(SOLIS_TEST_FILES) + "/transformer_golden.npz");
        ASSERT_TRUE(arrays) << arrays.error().message;
        for (NamedArray& named : *arrays) {
            golden_[named.name] = std::get<std::vector<float>>(named.array.values);
        }
    }

    static double max_difference(std::span<const float> a, std::span<const float> b) {
        if (a.size() != b.size()) return 1e30;
        double most = 0;
        for (std::size_t i = 0; i < a.size(); ++i) {
            // Written so that NaN counts as different.
            const double difference = std::abs(static_cast<double>(a[i]) - b[i]);
            if (!(difference <= most)) most = difference;
        }
        return most;
    }

    // What the golden file has of a gradient: all of it, or projections and its length.
    static std::vector<float> digest(const GoldenCase& c, const std::vector<float>& gradient) {
        if (c.samples == 5) return gradient;
        std::vector<float> numbers;
        double squares = 0;
        for (const float value : gradient) squares += static_cast<double>(value) * value;
        for (std::uint64_t k = 0; k < 3; ++k) {
            const std::vector<float> direction = seeded_numbers(c.seed, 6000 + k, gradient.size());
            double sum = 0;
            for (std::size_t i = 0; i < gradient.size(); ++i) {
                sum += static_cast<double>(gradient[i]) * direction[i];
            }
            numbers.push_back(static_cast<float>(sum));
        }
        numbers.push_back(static_cast<float>(std::sqrt(squares)));
        return numbers;
    }

    void expect_gradients(const GoldenCase& c, const Dropout& dropout, const std::string& kind,
                          const std::string& z_name) {
        TransformerNet net(c.shape);
        net.weights().all = seeded_weights(c.shape, c.seed, c.gain).all;
        const auto tokens = seeded_tokens(c.shape, c.seed, c.samples);
        std::vector<float> z(c.samples * static_cast<std::size_t>(c.shape.dims));
        ThreadPool pool(1);
        net.forward(tokens, dropout, pool, z);
        EXPECT_LE(max_difference(z, golden_[std::string(c.name) + z_name]), 1e-5) << c.name;
        net.backward(seeded_numbers(c.seed, 5000, z.size()), pool);
        for (std::size_t t = 0; t < net.gradients().all.size(); ++t) {
            const Tensor& gradient = net.gradients().all[t];
            const std::vector<float>& expected =
                golden_[std::string(c.name) + "." + kind + "." + std::to_string(t)];
            double largest = 0.1;  // key biases have no gradient but rounding
            for (const float value : expected) {
                largest = std::max(largest, std::abs(static_cast<double>(value)));
            }
            EXPECT_LE(max_difference(digest(c, gradient.values), expected), 1e-4 * largest)
                << c.name << " " << gradient.name;
        }
    }

    std::map<std::string, std::vector<float>> golden_;
};

TEST_F(TransformerGolden, EmbeddingsEqualThoseOfPyTorch) {
    for (const GoldenCase& c : cases()) {
#ifdef SOLIS_SANITIZED
        if (c.shape.dims > 128) continue;
#endif
        TransformerNet net(c.shape);
        net.weights().all = seeded_weights(c.shape, c.seed, c.gain).all;
        std::vector<float> z(c.samples * static_cast<std::size_t>(c.shape.dims));
        ThreadPool pool(1);
        net.embed(seeded_tokens(c.shape, c.seed, c.samples), pool, z);
        EXPECT_LE(max_difference(z, golden_[std::string(c.name) + ".z"]), 1e-5) << c.name;
    }
}

TEST_F(TransformerGolden, GradientsEqualThoseOfPyTorch) {
    expect_gradients(cases()[0], {}, "gradient", ".z");
    expect_gradients(cases()[2], {}, "gradient", ".z");
}

TEST_F(TransformerGolden, GradientsWithDropoutEqualThoseOfPyTorchWithTheSameMasks) {
    expect_gradients(cases()[0], {0.1f, 77}, "dropped_gradient", ".dropped_z");
    expect_gradients(cases()[2], {0.1f, 77}, "dropped_gradient", ".dropped_z");
}

}  // namespace
}  // namespace solis::nn
