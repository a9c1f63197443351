// Products of bfloat16 beside exact ones of the rounded values.
#include "solis/nn/kernels/bf16_panels.h"

#include <bit>
#include <cmath>
#include <limits>

#include <gtest/gtest.h>
#include <hwy/highway.h>

#include "solis/base/rng.h"

namespace solis::nn {
namespace {

AlignedVector<float> random_values(std::size_t count, std::uint64_t seed) {
    Rng rng(Seed{seed});
    AlignedVector<float> values(count);
    for (float& value : values) value = static_cast<float>(2 * rng.unit() - 1);
    return values;
}

float widened(Bf16 value) { return std::bit_cast<float>(static_cast<std::uint32_t>(value) << 16); }
Bf16 at(Bf16Rows m, std::size_t row, std::size_t col) {
    return m.data[(col / kPanel * m.rows + row) * kPanel + col % kPanel];
}
Bf16 at(Bf16Pairs m, std::size_t row, std::size_t col) {
    return m.data[((col / kPanel * m.lines() + row / 2) * kPanel + col % kPanel) * 2 + row % 2];
}

// A matrix of floats and both its forms.
struct Matrix {
    AlignedVector<float> floats;
    AlignedVector<Bf16> row_memory, pair_memory;
    ConstPanels exact;
    Bf16Rows rows;
    Bf16Pairs pairs;

    Matrix(std::size_t row_count, std::size_t col_count, std::uint64_t seed)
        : floats(random_values(panel_floats(row_count, col_count), seed)),
          row_memory(floats.size()),
          pair_memory(panel_floats(row_count + row_count % 2, col_count), Bf16{0xFFFF}),
          exact{floats.data(), row_count, col_count},
          rows{row_memory.data(), row_count, col_count},
          pairs{pair_memory.data(), row_count, col_count} {
        to_bf16(exact, rows, pairs);
    }
    [[nodiscard]] double rounded(std::size_t row, std::size_t col) const {
        return static_cast<double>(widened(at(rows, row, col)));
    }
};

const std::size_t kRowCounts[] = {1, 2, 3, 5, 8, 12, 13, 14, 31, 78};

TEST(Bf16Panels, ValuesAreRoundedToTheNearestInBothForms) {
    for (const std::size_t rows : kRowCounts) {
        const Matrix m(rows, 48, 1);
        AlignedVector<Bf16> one(m.row_memory.size()), other(m.pair_memory.size());
        to_bf16(m.exact, Bf16Rows{one.data(), rows, 48});
        to_bf16(m.exact, Bf16Pairs{other.data(), rows, 48});
        EXPECT_EQ(one, m.row_memory);
        EXPECT_EQ(other, m.pair_memory);
        for (std::size_t r = 0; r < rows; ++r) {
            for (std::size_t c = 0; c < 48; ++c) {
                const float x = m.exact.at(r, c);
                ASSERT_NEAR(widened(at(m.rows, r, c)), x, std::abs(x) / 256);
                ASSERT_EQ(at(m.rows, r, c), at(m.pairs, r, c));
                if (r % 2 == 0 && r + 1 == rows) {
                    ASSERT_EQ(at(m.pairs, r + 1, c), 0);
                }
            }
        }
    }
}

TEST(Bf16Panels, EveryInstructionSetRoundsTiesToEvenAndKeepsWhatIsNoNumber) {
    const float infinity = std::numeric_limits<float>::infinity();
    AlignedVector<float> values(2 * kPanel);
    const float cases[] = {1.00390625f, 1.01171875f, -1.00390625f, 0.0f,    infinity,
                           -infinity,   3.4e38f,     1.00390637f,  -1e-30f, 1.0f};
    const float expected[] = {1.0f,      1.015625f, -1.0f,      0.0f, infinity,
                              -infinity, infinity,  1.0078125f, 0,    1.0f};
    std::copy(std::begin(cases), std::end(cases), values.begin());
    values[kPanel] = std::bit_cast<float>(0x7FFFFFFFu);
    values[kPanel + 1] = std::numeric_limits<float>::quiet_NaN();
    for (const std::int64_t target : hwy::SupportedAndGeneratedTargets()) {
        hwy::SetSupportedTargetsForTest(target);
        AlignedVector<Bf16> rows(2 * kPanel);
        to_bf16(ConstPanels{values.data(), 2, kPanel}, Bf16Rows{rows.data(), 2, kPanel});
        hwy::SetSupportedTargetsForTest(0);
        for (std::size_t i = 0; i < std::size(cases); ++i) {
            if (i == 8) {
                EXPECT_NEAR(widened(rows[i]), -1e-30f, 1e-32f);
            } else {
                EXPECT_EQ(widened(rows[i]), expected[i]) << hwy::TargetName(target) << " " << i;
            }
        }
        EXPECT_TRUE(std::isnan(widened(rows[kPanel]))) << hwy::TargetName(target);
        EXPECT_TRUE(std::isnan(widened(rows[kPanel + 1]))) << hwy::TargetName(target);
    }
}

// Largest difference to the exact product of the rounded values.
double error_of_product(std::size_t rows, std::size_t depth, std::size_t cols, Into into) {
    const Matrix a(rows, depth, 2), b(depth, cols, 3);
    const AlignedVector<float> bias = random_values(panel_count(cols) * kPanel, 4);
    AlignedVector<float> sums(panel_floats(rows, cols), 0.5f);
    const Panels c{sums.data(), rows, cols};
    const bool add = into == Into::Add;
    multiply(a.rows, b.pairs, add ? nullptr : bias.data(), c, into);
    double worst = 0;
    for (std::size_t r = 0; r < rows; ++r) {
        for (std::size_t n = 0; n < cols; ++n) {
            double sum = add ? 0.5 : static_cast<double>(bias[n]);
            for (std::size_t k = 0; k < depth; ++k) sum += a.rounded(r, k) * b.rounded(k, n);
            worst = std::max(worst, std::abs(sum - static_cast<double>(c.at(r, n))));
        }
    }
    return worst;
}

double error_of_transposed_product(std::size_t rows, std::size_t depth, std::size_t cols,
                                   Into into) {
    const Matrix a(depth, rows, 5), b(depth, cols, 6);
    AlignedVector<float> sums(panel_floats(rows, cols), 0.5f);
    const Panels c{sums.data(), rows, cols};
    multiply_transposed(a.pairs, b.pairs, c, into);
    double worst = 0;
    for (std::size_t r = 0; r < rows; ++r) {
        for (std::size_t n = 0; n < cols; ++n) {
            double sum = into == Into::Add ? 0.5 : 0;
            for (std::size_t k = 0; k < depth; ++k) sum += a.rounded(k, r) * b.rounded(k, n);
            worst = std::max(worst, std::abs(sum - static_cast<double>(c.at(r, n))));
        }
    }
    return worst;
}

TEST(Bf16Panels, ProductsAreExactButForTheirSumsOnEveryInstructionSet) {
    for (const std::int64_t target : hwy::SupportedAndGeneratedTargets()) {
        hwy::SetSupportedTargetsForTest(target);
        for (const std::size_t rows : kRowCounts) {
            for (const std::size_t depth : {16, 17, 78, 528}) {
                for (const Into into : {Into::Overwrite, Into::Add}) {
                    EXPECT_LT(error_of_product(rows, depth, 32, into), 5e-5)
                        << hwy::TargetName(target) << " " << rows << " x " << depth;
                    EXPECT_LT(error_of_transposed_product(rows, depth, 32, into), 5e-5)
                        << hwy::TargetName(target) << " " << rows << " x " << depth;
                }
            }
        }
        hwy::SetSupportedTargetsForTest(0);
    }
}

TEST(Bf16Panels, PackedMatricesHaveTheirValuesInPlace) {
    const AlignedVector<float> plain = random_values(32 * 48, 7);
    Bf16Matrix straight, turned;
    straight.pack(plain.data(), 32, 48);
    turned.pack_transposed(plain.data(), 32, 48);
    const ConstBf16Pairs a = straight.view(), b = turned.view();
    ASSERT_EQ(a.rows, 32u);
    ASSERT_EQ(b.rows, 48u);
    for (std::size_t r = 0; r < 32; ++r) {
        for (std::size_t c = 0; c < 48; ++c) {
            const float x = plain[r * 48 + c];
            const Bf16Pairs own{const_cast<Bf16*>(a.data), a.rows, a.cols};
            const Bf16Pairs other{const_cast<Bf16*>(b.data), b.rows, b.cols};
            ASSERT_NEAR(widened(at(own, r, c)), x, std::abs(x) / 256);
            ASSERT_EQ(at(own, r, c), at(other, c, r));
        }
    }
}

}  // namespace
}  // namespace solis::nn
