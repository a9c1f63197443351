// The fast matrix product against plain loops.
#include "solis/nn/kernels/gemm.h"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "solis/base/cpu.h"
#include "solis/base/rng.h"

namespace solis::nn {
namespace {

std::vector<float> random_values(std::size_t count, Rng& rng) {
    std::vector<float> values(count);
    for (float& value : values) value = static_cast<float>(2 * rng.unit() - 1);
    return values;
}

// Rounding of a sum of `depth` products of numbers up to 1, with room for the order of summation.
float rounding_bound(std::size_t depth) { return 2e-7f * static_cast<float>(depth + 1); }

void expect_equal_products(std::size_t rows, std::size_t cols, std::size_t depth, bool a_transposed,
                           bool b_transposed, Into into, Rng& rng) {
    const std::vector<float> a = random_values(rows * depth, rng);
    const std::vector<float> b = random_values(depth * cols, rng);
    const MatrixView va{a.data(), a_transposed ? rows : depth, a_transposed};
    const MatrixView vb{b.data(), b_transposed ? depth : cols, b_transposed};
    std::vector<float> fast = random_values(rows * cols, rng), slow = fast;
    gemm(rows, cols, depth, va, vb, fast.data(), cols, into);
    gemm_reference(rows, cols, depth, va, vb, slow.data(), cols, into);
    for (std::size_t i = 0; i < fast.size(); ++i) {
        ASSERT_NEAR(fast[i], slow[i], rounding_bound(depth))
            << rows << "x" << cols << "x" << depth << " transposed " << a_transposed << b_transposed
            << " at " << i;
    }
}

TEST(Gemm, MatchesReferenceAtEveryTailLength) {
    Rng rng(Seed{7});
    for (std::size_t rows = 1; rows <= 13; ++rows) {
        for (std::size_t cols = 1; cols <= 2 * 2 * float_lanes() + 1; cols += 3) {
            expect_equal_products(rows, cols, 5, false, false, Into::Overwrite, rng);
        }
    }
}

TEST(Gemm, MatchesReferenceForAllLayoutsAndDepthBlocks) {
    Rng rng(Seed{8});
    for (const std::size_t depth : {1u, 255u, 256u, 257u, 600u}) {
        for (const Into into : {Into::Overwrite, Into::Add}) {
            for (int layout = 0; layout < 4; ++layout) {
                expect_equal_products(101, 33, depth, (layout & 1) != 0, (layout & 2) != 0, into,
                                      rng);
            }
        }
    }
}

TEST(Gemm, ElementDoesNotDependOnTheOtherRowsAndColumns) {
    Rng rng(Seed{9});
    const std::size_t rows = 40, cols = 50, depth = 300;
    const std::vector<float> a = random_values(rows * depth, rng);
    const std::vector<float> b = random_values(depth * cols, rng);
    std::vector<float> whole(rows * cols), part(7 * 9);
    gemm(rows, cols, depth, {a.data(), depth}, {b.data(), cols}, whole.data(), cols,
         Into::Overwrite);
    gemm(7, 9, depth, {a.data() + 3 * depth, depth}, {b.data() + 5, cols}, part.data(), 9,
         Into::Overwrite);
    for (std::size_t i = 0; i < 7; ++i) {
        for (std::size_t j = 0; j < 9; ++j) {
            EXPECT_EQ(part[i * 9 + j], whole[(i + 3) * cols + j + 5]);
        }
    }
}

TEST(Gemm, UsesWideVectorsWhereTheMachineHasThem) {
    const std::string name(cpu_simd_name());
    if (name != "AVX2" && name != "AVX-512") GTEST_SKIP() << "this machine has " << name;
    EXPECT_EQ(float_lanes(), name == "AVX2" ? 8u : 16u);
}

}  // namespace
}  // namespace solis::nn
