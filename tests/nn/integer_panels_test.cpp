// Products of 16-bit integers beside those of floats.
#include "solis/nn/kernels/integer_panels.h"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>
#include <hwy/highway.h>

#include "solis/base/rng.h"

namespace solis::nn {
namespace {

AlignedVector<float> random_floats(std::size_t count, float size, std::uint64_t seed) {
    Rng rng(Seed{seed});
    AlignedVector<float> values(count);
    for (float& value : values) value = size * static_cast<float>(2 * rng.unit() - 1);
    return values;
}

struct Product {
    std::size_t rows, depth, cols;
    AlignedVector<float> a, b, bias;

    Product(std::size_t row_count, std::size_t k, std::size_t n)
        : rows(row_count),
          depth(k),
          cols(n),
          a(random_floats(panel_floats(rows, depth), 3, 1)),
          b(random_floats(panel_floats(depth, cols), 0.2f, 2)),
          bias(random_floats(panel_count(cols) * kPanel, 1, 3)) {}

    [[nodiscard]] ConstPanels left() const { return {a.data(), rows, depth}; }
    [[nodiscard]] ConstPanels right() const { return {b.data(), depth, cols}; }

    [[nodiscard]] AlignedVector<float> by_integers() const {
        AlignedVector<std::int16_t> integers(rows * depth);
        AlignedVector<float> scales(rows), c(panel_floats(rows, cols));
        const IntegerRows quantized{integers.data(), scales.data(), rows, depth};
        quantize_rows(left(), quantized);
        IntegerMatrix matrix;
        matrix.pack(right());
        multiply(quantized, matrix, bias.data(), {c.data(), rows, cols});
        return c;
    }
    // The largest difference to the exact product, in units of the error that rounding allows.
    [[nodiscard]] double worst_error() const {
        const AlignedVector<float> fast = by_integers();
        const ConstPanels c{fast.data(), rows, cols};
        double worst = 0;
        for (std::size_t r = 0; r < rows; ++r) {
            for (std::size_t n = 0; n < cols; ++n) {
                double sum = bias[n], most_a = 0, most_b = 0, squares_a = 0, squares_b = 0;
                for (std::size_t k = 0; k < depth; ++k) {
                    const double x = left().at(r, k), w = right().at(k, n);
                    sum += x * w;
                    most_a = std::max(most_a, std::abs(x));
                    most_b = std::max(most_b, std::abs(w));
                    squares_a += x * x;
                    squares_b += w * w;
                }
                const double length_a = std::sqrt(squares_a), length_b = std::sqrt(squares_b);
                // Each value is off by half a step at most, and errors add up like a random walk:
                // the deviation of a step is 1 / sqrt(12), and 5 of them hold for all elements.
                const double step_a =
                    std::max(most_a / kLargestInteger, length_a / kLongestIntegers);
                const double step_b =
                    std::max(most_b / kLargestInteger, length_b / kLongestIntegers);
                const double error = 1.5 * (step_a * length_b + step_b * length_a) + 1e-6;
                worst = std::max(worst, std::abs(c.at(r, n) - sum) / error);
            }
        }
        return worst;
    }
};

TEST(IntegerPanels, ProductsEqualThoseOfFloatsForAwkwardSizes) {
    for (const std::size_t rows : {1, 2, 4, 5, 6, 9, 10, 11, 12, 13, 14, 78}) {
        for (const std::size_t depth : {16, 48, 256, 272, 528}) {
            for (const std::size_t cols : {16, 48}) {
                EXPECT_LE(Product(rows, depth, cols).worst_error(), 1)
                    << rows << " x " << depth << " x " << cols;
            }
        }
    }
}

TEST(IntegerPanels, EveryInstructionSetGivesTheSameProducts) {
    const Product product(78, 272, 48);
    const AlignedVector<float> best = product.by_integers();
    std::vector<float> floats(panel_floats(78, 48));
    multiply(product.left(), product.right(), product.bias.data(), {floats.data(), 78, 48},
             Into::Overwrite);
    for (const std::int64_t target : hwy::SupportedAndGeneratedTargets()) {
        hwy::SetSupportedTargetsForTest(target);
        // Sums are exact, but a scale that is rounded differently moves values that lie between
        // two integers.
        const AlignedVector<float> own = product.by_integers();
        std::vector<float> own_floats(floats.size());
        multiply(product.left(), product.right(), product.bias.data(), {own_floats.data(), 78, 48},
                 Into::Overwrite);
        hwy::SetSupportedTargetsForTest(0);
        for (std::size_t i = 0; i < best.size(); ++i) {
            ASSERT_NEAR(own[i], best[i], 5e-4f) << hwy::TargetName(target) << ", element " << i;
            ASSERT_NEAR(own_floats[i], floats[i], 1e-4f) << hwy::TargetName(target);
        }
    }
}

TEST(IntegerPanels, TheLargestSumsDoNotOverflow) {
    // All values alike: every product has the largest size and the same sign.
    Product product(7, 512, 16);
    for (const float sign : {1.0f, -1.0f}) {
        std::fill(product.a.begin(), product.a.end(), 5.0f);
        std::fill(product.b.begin(), product.b.end(), sign * 3.0f);
        std::fill(product.bias.begin(), product.bias.end(), 0.0f);
        for (const float value : product.by_integers()) {
            EXPECT_NEAR(value, sign * 512 * 15, 512 * 15 * 1e-3);
        }
    }
}

TEST(IntegerPanels, RowsAndColumnsOfZerosStayZero) {
    Product product(3, 32, 16);
    std::fill(product.bias.begin(), product.bias.end(), 0.0f);
    const Panels a{product.a.data(), 3, 32}, b{product.b.data(), 32, 16};
    for (std::size_t k = 0; k < 32; ++k) a.at(1, k) = b.at(k, 5) = 0;
    const AlignedVector<float> c = product.by_integers();
    const ConstPanels result{c.data(), 3, 16};
    for (std::size_t i = 0; i < 16; ++i) EXPECT_EQ(result.at(1, i), 0.0f);
    for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(result.at(i, 5), 0.0f);
    EXPECT_NE(result.at(0, 0), 0.0f);
}

}  // namespace
}  // namespace solis::nn
