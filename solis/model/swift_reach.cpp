// Sums of the largest weights that can be active together.
#include "solis/model/swift_reach.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <span>
#include <vector>

namespace solis::model {
namespace {

// The first input that is a contact.
std::size_t first_contact(data::SwiftFeatureSet features) {
    return static_cast<std::size_t>(data::plane_count(features)) * data::kInputsPerPlane;
}

constexpr float kNoClip = std::numeric_limits<float>::infinity();

// What one square can add at most to each accumulator times `sign`, whatever stands on it.
// Goes through the weights row by row, as they lie in memory.
void most_of_square(const nn::SwiftWeights& weights, int planes, int square, float sign,
                    std::span<float> most) {
    const std::size_t width = most.size();
    std::vector<float> sum(width);
    const auto row = [&](int plane, int piece) {
        const int input = plane * data::kInputsPerPlane + piece * 64 + square;
        return weights.input_weight.values.data() + static_cast<std::size_t>(input) * width;
    };
    for (int piece = 0; piece < 12; ++piece) {
        const float* const always = row(0, piece);
        for (std::size_t a = 0; a < width; ++a) sum[a] = sign * always[a];
        for (int plane = 1; plane < planes; ++plane) {
            const float* const sometimes = row(plane, piece);
            for (std::size_t a = 0; a < width; ++a) sum[a] += std::max(0.0f, sign * sometimes[a]);
        }
        for (std::size_t a = 0; a < width; ++a) most[a] = std::max(most[a], sum[a]);
    }
}

// The sum of the `count` largest.
float sum_of_largest(std::span<float> values, std::size_t count) {
    std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(count),
                     values.end(), std::greater<>());
    return std::accumulate(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(count),
                           0.0f);
}

// What contacts can add at most to accumulator `a` times `sign`, with no weight beyond `clip`: 15
// pieces and a king of each side, each in contact with so many others as its kind can be.
float most_of_contacts(const nn::SwiftWeights& weights, int planes, std::size_t a, float sign,
                       float clip) {
    constexpr std::array<std::size_t, 6> kMost{2, 8, 4, 4, 8, 8};  // by type
    const std::size_t width = weights.input_weight.shape[1];
    float total = 0;
    for (std::size_t side = 0; side < 2; ++side) {
        float best = 0, king = 0;
        for (std::size_t type = 0; type < 6; ++type) {
            const std::size_t plane = static_cast<std::size_t>(planes) + side * 6 + type;
            std::array<float, 64> of_square{};
            for (std::size_t input = 0; input < data::kInputsPerPlane; ++input) {
                const std::size_t row = plane * data::kInputsPerPlane + input;
                const float weight = sign * weights.input_weight.values[row * width + a];
                of_square[input % 64] = std::max(of_square[input % 64], std::min(weight, clip));
            }
            king = sum_of_largest(of_square, kMost[type]);
            if (type < 5) best = std::max(best, king);
        }
        total += 15 * best + king;
    }
    return total;
}

// What bias, planes and danger can add up to at most in each accumulator, times `sign`.
std::vector<float> reach_of_others(data::SwiftFeatureSet features, const nn::SwiftWeights& weights,
                                   float sign) {
    const std::size_t width = weights.input_bias.values.size();
    std::vector<float> most(64 * width);  // [squares][accumulators]
    for (int square = 0; square < 64; ++square) {
        most_of_square(weights, data::plane_count(features), square, sign,
                       std::span(most).subspan(static_cast<std::size_t>(square) * width, width));
    }
    std::vector<float> reach(width);
    for (std::size_t a = 0; a < width; ++a) {
        std::array<float, 64> of_square;
        for (std::size_t i = 0; i < 64; ++i) of_square[i] = most[i * width + a];
        // At most 32 squares are occupied.
        reach[a] = sign * weights.input_bias.values[a] + sum_of_largest(of_square, 32);
    }
    if (!data::has_danger(features)) return reach;
    const std::span<const float> of_danger =
        std::span(weights.input_weight.values).last(data::kDangers * width);
    for (std::size_t i = 0; i < of_danger.size(); ++i) {
        reach[i % width] += std::max(0.0f, sign * of_danger[i]);
    }
    return reach;
}

// The largest clip, within a hundredth, that keeps the contacts of accumulator `a` within `room`.
float clip_for(const nn::SwiftWeights& weights, int planes, std::size_t a, float sign, float room) {
    const std::size_t width = weights.input_weight.shape[1];
    float high = 0, low = 0;
    for (std::size_t i = a; i < weights.input_weight.values.size(); i += width) {
        high = std::max(high, std::abs(weights.input_weight.values[i]));
    }
    while (high - low > 0.01f * high) {
        const float middle = (low + high) / 2;
        (most_of_contacts(weights, planes, a, sign, middle) <= room ? low : high) = middle;
    }
    return low;
}

}  // namespace

float accumulator_reach(data::SwiftFeatureSet features, const nn::SwiftWeights& weights) {
    float reach = 0;
    for (const float sign : {1.0f, -1.0f}) {
        const std::vector<float> of_others = reach_of_others(features, weights, sign);
        for (std::size_t a = 0; a < of_others.size(); ++a) {
            float sum = of_others[a];
            if (data::has_contacts(features)) {
                sum += most_of_contacts(weights, data::plane_count(features), a, sign, kNoClip);
            }
            reach = std::max(reach, sum);
        }
    }
    return reach;
}

nn::InputBounds input_bounds(data::SwiftFeatureSet features, const nn::SwiftWeights& weights) {
    return {accumulator_reach(features, weights), first_contact(features)};
}

void limit_reach(data::SwiftFeatureSet features, nn::SwiftWeights& weights, float limit) {
    if (!data::has_contacts(features)) return;
    const int planes = data::plane_count(features);
    const std::size_t width = weights.input_weight.shape[1], first = first_contact(features);
    constexpr float kMost = nn::SwiftInteger::kMostByteWeight;
    for (float& weight : std::span(weights.input_weight.values).subspan(first * width)) {
        weight = std::clamp(weight, -kMost, kMost);
    }
    for (const float sign : {1.0f, -1.0f}) {
        const std::vector<float> of_others = reach_of_others(features, weights, sign);
        for (std::size_t a = 0; a < width; ++a) {
            const float room = limit - of_others[a];
            if (room <= 0 || most_of_contacts(weights, planes, a, sign, kNoClip) <= room) continue;
            const float clip = clip_for(weights, planes, a, sign, room);
            for (std::size_t i = first * width + a; i < (first + data::kContacts) * width;
                 i += width) {
                float& weight = weights.input_weight.values[i];
                weight = sign * std::min(sign * weight, clip);
            }
        }
    }
}

}  // namespace solis::model
