// Kernels of the neighbour search against plain loops.
#include "solis/nn/kernels/neighbour_kernels.h"

#include <vector>

#include <gtest/gtest.h>

#include "solis/base/rng.h"

namespace solis::nn {
namespace {

TEST(NeighbourKernels, SquaredDistanceMatchesPlainLoopsAtEveryLength) {
    Rng rng(Seed{1});
    for (std::size_t count = 1; count <= 70; ++count) {
        std::vector<float> a(count), b(count);
        double expected = 0;
        for (std::size_t i = 0; i < count; ++i) {
            a[i] = static_cast<float>(rng.unit()), b[i] = static_cast<float>(rng.unit());
            expected += static_cast<double>((a[i] - b[i]) * (a[i] - b[i]));
        }
        EXPECT_NEAR(static_cast<double>(squared_distance(a, b)), expected, 1e-5) << count;
    }
}

TEST(NeighbourKernels, GroupsAboveAreThoseWithAValueAboveEitherFloor) {
    Rng rng(Seed{2});
    for (int round = 0; round < 200; ++round) {
        const std::size_t groups = 1 + rng.below(9);
        std::vector<float> values(groups * kScanGroup), floors(values.size());
        for (float& value : values) value = static_cast<float>(rng.unit());
        for (float& value : floors) value = 0.97f + static_cast<float>(rng.unit());
        const float floor = 0.9f + 0.2f * static_cast<float>(rng.unit());
        std::vector<std::uint32_t> expected, starts(groups);
        for (std::size_t g = 0; g < groups; ++g) {
            bool above = false;
            for (std::size_t i = g * kScanGroup; i < (g + 1) * kScanGroup; ++i) {
                above |= values[i] > floor || values[i] > floors[i];
            }
            if (above) expected.push_back(static_cast<std::uint32_t>(g * kScanGroup));
        }
        starts.resize(
            find_groups_above(values.data(), floor, floors.data(), groups, starts.data()));
        EXPECT_EQ(starts, expected);
    }
}

}  // namespace
}  // namespace solis::nn
