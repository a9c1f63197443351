// How far accumulators can go, and what gives way where that is too far.
#include "solis/model/swift_reach.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "solis/base/rng.h"

namespace solis::model {
namespace {

using data::SwiftFeatureSet;

// Weights of contacts give way, and only where the sums are too large for the integers.
TEST(AccumulatorReach, IsLimitedByClippingContacts) {
    nn::SwiftShape shape;
    shape.inputs = data::input_count(SwiftFeatureSet::Contacts);
    shape.accumulators = 64;
    shape.dims = 8;
    nn::SwiftWeights weights(shape);
    Rng rng(Seed{4});
    const std::size_t width = 64, first = 3 * data::kInputsPerPlane * width;
    for (std::size_t i = first; i < weights.input_weight.values.size(); ++i) {
        const double scale = i % width < 32 ? 0.4 : 0.01;
        weights.input_weight.values[i] = static_cast<float>(scale * (2 * rng.unit() - 1));
    }
    const std::vector<float> before = weights.input_weight.values;
    EXPECT_GT(accumulator_reach(SwiftFeatureSet::Contacts, weights), 60);
    limit_reach(SwiftFeatureSet::Contacts, weights, 60);
    const float reach = accumulator_reach(SwiftFeatureSet::Contacts, weights);
    EXPECT_LE(reach, 60);
    EXPECT_GE(reach, 58) << "no more than was needed";
    float largest = 0;
    for (std::size_t i = 0; i < before.size(); ++i) {
        const float now = weights.input_weight.values[i];
        if (i % width < 32) largest = std::max(largest, std::abs(now));
        ASSERT_LE(std::abs(now), std::abs(before[i]));
        ASSERT_TRUE(now == before[i] || (i % width < 32 && now * before[i] > 0)) << i;
    }
    EXPECT_GT(largest, 0.2f);
    limit_reach(SwiftFeatureSet::Contacts, weights, 60);
    EXPECT_EQ(accumulator_reach(SwiftFeatureSet::Contacts, weights), reach);
}

// However far the sums may go.
TEST(AccumulatorReach, ContactsAreClippedToWhatBytesHold) {
    nn::SwiftShape shape;
    shape.inputs = data::input_count(SwiftFeatureSet::Contacts);
    shape.accumulators = 64;
    shape.dims = 8;
    nn::SwiftWeights weights(shape);
    const nn::InputBounds bounds = input_bounds(SwiftFeatureSet::Contacts, weights);
    ASSERT_EQ(bounds.first_byte, 3u * data::kInputsPerPlane);
    const std::size_t contact = bounds.first_byte * 64;
    constexpr float kMost = nn::SwiftInteger::kMostByteWeight;
    std::vector<float>& values = weights.input_weight.values;
    values[contact - 1] = 0.5f;  // the last input that is no contact
    values[contact] = 0.5f;
    values[contact + 1] = -0.5f;
    values[contact + 2] = 0.2f;
    limit_reach(SwiftFeatureSet::Contacts, weights, 60);
    EXPECT_EQ(values[contact - 1], 0.5f);
    EXPECT_EQ(values[contact], kMost);
    EXPECT_EQ(values[contact + 1], -kMost);
    EXPECT_EQ(values[contact + 2], 0.2f);
}

// One accumulator, all weights alike: 32 pieces in every plane, and the bias.
TEST(AccumulatorReach, IsReachedWhereAllWeightsAgree) {
    nn::SwiftShape shape;
    shape.inputs = data::input_count(SwiftFeatureSet::Threats);
    shape.accumulators = 64;
    shape.dims = 8;
    nn::SwiftWeights weights(shape);
    for (const float sign : {1.0f, -1.0f}) {
        std::fill(weights.input_weight.values.begin(), weights.input_weight.values.end(),
                  sign * 0.5f);
        std::fill(weights.input_bias.values.begin(), weights.input_bias.values.end(), sign * 2);
        EXPECT_FLOAT_EQ(accumulator_reach(SwiftFeatureSet::Threats, weights), 32 * 3 * 0.5f + 2);
    }
}

}  // namespace
}  // namespace solis::model
