// Products of 8-bit integers beside those of floats.
#include "solis/nn/kernels/byte_panels.h"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>
#include <hwy/highway.h>

#include "solis/base/rng.h"

namespace solis::nn {
namespace {

struct ByteProduct {
    std::size_t rows, depth, cols;
    AlignedVector<float> a, b, bias;

    ByteProduct(std::size_t row_count, std::size_t k, std::size_t n, float least)
        : rows(row_count), depth(k), cols(n) {
        Rng rng(Seed{1});
        const auto fill = [&](AlignedVector<float>& to, std::size_t count, float low, float high) {
            to.resize(count);
            for (float& value : to) value = low + (high - low) * static_cast<float>(rng.unit());
        };
        fill(a, panel_floats(rows, depth), least, 3);
        fill(b, panel_floats(depth, cols), -0.2f, 0.2f);
        fill(bias, panel_count(cols) * kPanel, -1, 1);
    }
    [[nodiscard]] ConstPanels left() const { return {a.data(), rows, depth}; }
    [[nodiscard]] ConstPanels right() const { return {b.data(), depth, cols}; }

    [[nodiscard]] AlignedVector<float> by_bytes() const {
        AlignedVector<std::uint8_t> bytes(rows * depth);
        AlignedVector<float> scales(rows), zeros(rows), c(panel_floats(rows, cols));
        const ByteRows quantized{bytes.data(), scales.data(), zeros.data(), rows, depth};
        quantize_rows(left(), quantized);
        ByteMatrix matrix;
        matrix.pack(right());
        multiply(quantized, matrix, bias.data(), {c.data(), rows, cols});
        return c;
    }
    // The largest difference to the exact product, in units of the error that rounding allows.
    [[nodiscard]] double worst_error() const {
        const AlignedVector<float> fast = by_bytes();
        const ConstPanels c{fast.data(), rows, cols};
        double worst = 0;
        for (std::size_t r = 0; r < rows; ++r) {
            for (std::size_t n = 0; n < cols; ++n) {
                double sum = bias[n], low = 0, high = 0, most = 0, squares_a = 0, squares_b = 0;
                for (std::size_t k = 0; k < depth; ++k) {
                    const double x = left().at(r, k), w = right().at(k, n);
                    sum += x * w;
                    low = std::min(low, x);
                    high = std::max(high, x);
                    most = std::max(most, std::abs(w));
                    squares_a += x * x;
                    squares_b += w * w;
                }
                // Each value is off by half a step at most, and errors add up like a random walk:
                // the deviation of a step is 1 / sqrt(12), and 5 of them hold for all elements.
                const double error = 1.5 * ((high - low) / 255 * std::sqrt(squares_b) +
                                            most / 127 * std::sqrt(squares_a)) +
                                     1e-5;
                worst = std::max(worst, std::abs(c.at(r, n) - sum) / error);
            }
        }
        return worst;
    }
};

TEST(BytePanels, ProductsEqualThoseOfFloatsForAwkwardSizes) {
    for (const std::size_t rows : {1, 2, 6, 12, 13, 14, 78}) {
        for (const std::size_t depth : {16, 48, 256, 528}) {
            for (const float least : {-3.0f, -0.1f, 2.0f}) {
                EXPECT_LE(ByteProduct(rows, depth, 48, least).worst_error(), 1)
                    << rows << " x " << depth << " from " << least;
            }
        }
    }
}

TEST(BytePanels, EveryInstructionSetGivesTheSameProducts) {
    const ByteProduct product(27, 272, 48, -1);
    const AlignedVector<float> best = product.by_bytes();
    for (const std::int64_t target : hwy::SupportedAndGeneratedTargets()) {
        hwy::SetSupportedTargetsForTest(target);
        const AlignedVector<float> own = product.by_bytes();
        hwy::SetSupportedTargetsForTest(0);
        for (std::size_t i = 0; i < best.size(); ++i) {
            // Sums are exact, but a value between two bytes may become the other one.
            ASSERT_NEAR(own[i], best[i], 1e-2f) << hwy::TargetName(target) << ", element " << i;
        }
    }
}

TEST(BytePanels, TheLargestSumsDoNotOverflow) {
    ByteProduct product(7, 1024, 16, 0);
    for (const float sign : {1.0f, -1.0f}) {
        std::fill(product.a.begin(), product.a.end(), 5.0f);
        std::fill(product.b.begin(), product.b.end(), sign * 3.0f);
        std::fill(product.bias.begin(), product.bias.end(), 0.0f);
        for (const float value : product.by_bytes()) {
            EXPECT_NEAR(value, sign * 1024 * 15, 1024 * 15 * 1e-3);
        }
    }
}

TEST(BytePanels, RowsAndColumnsOfZerosStayZero) {
    ByteProduct product(3, 32, 16, -1);
    std::fill(product.bias.begin(), product.bias.end(), 0.0f);
    const Panels a{product.a.data(), 3, 32}, b{product.b.data(), 32, 16};
    for (std::size_t k = 0; k < 32; ++k) a.at(1, k) = b.at(k, 5) = 0;
    const AlignedVector<float> c = product.by_bytes();
    const ConstPanels result{c.data(), 3, 16};
    for (std::size_t i = 0; i < 16; ++i) EXPECT_EQ(result.at(1, i), 0.0f);
    for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(result.at(i, 5), 0.0f);
    EXPECT_NE(result.at(0, 0), 0.0f);
}

}  // namespace
}  // namespace solis::nn
