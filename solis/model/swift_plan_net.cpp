// Rows of plans from rows of training, and what their sums can come to.
#include "solis/model/swift_plan_net.h"

#include <algorithm>
#include <array>
#include <functional>
#include <iterator>
#include <numeric>
#include <span>
#include <vector>

namespace solis::model {
namespace {

using data::SwiftFeatureSet;

const float* row_of(const nn::SwiftWeights& weights, int input) {
    const std::size_t width = weights.input_weight.shape[1];
    return weights.input_weight.values.data() + static_cast<std::size_t>(input) * width;
}

// What one square can add at most to each accumulator times `sign`, whatever stands on it, where
// planes begin at these rows. Goes through the weights row by row, as they lie in memory.
void most_of_square(const nn::SwiftWeights& weights, std::span<const int> first_rows, int square,
                    float sign, std::span<float> most) {
    const std::size_t width = most.size();
    std::vector<float> sum(width);
    for (int piece = 0; piece < 12; ++piece) {
        const int at = piece * 64 + square;
        const float* const always = row_of(weights, first_rows[0] + at);
        for (std::size_t a = 0; a < width; ++a) sum[a] = sign * always[a];
        for (const int first : first_rows.subspan(1)) {
            const float* const sometimes = row_of(weights, first + at);
            for (std::size_t a = 0; a < width; ++a) sum[a] += std::max(0.0f, sign * sometimes[a]);
        }
        for (std::size_t a = 0; a < width; ++a) most[a] = std::max(most[a], sum[a]);
    }
}

// The sum of the `count` largest.
float sum_of_largest(std::span<float> values, std::size_t count) {
    const auto end = values.begin() + static_cast<std::ptrdiff_t>(count);
    if (count < values.size()) {
        std::nth_element(values.begin(), end, values.end(), std::greater<>());
    }
    return std::accumulate(values.begin(), end, 0.0f);
}

// What control can add at most to each accumulator times `sign`. Eight pawns attack sixteen squares
// and a king eight; of other kinds there may be so many that they attack any square.
std::vector<float> most_of_control(const nn::SwiftWeights& weights, int first_row, float sign) {
    constexpr std::array<std::size_t, 6> kSquares{16, 64, 64, 64, 64, 8};
    const std::size_t width = weights.input_weight.shape[1];
    std::vector<float> most(width);
    std::array<float, 64> of_square;
    for (int piece = 0; piece < 12; ++piece) {
        for (std::size_t a = 0; a < width; ++a) {
            for (int square = 0; square < 64; ++square) {
                const float weight = row_of(weights, first_row + piece * 64 + square)[a];
                of_square[static_cast<std::size_t>(square)] = std::max(0.0f, sign * weight);
            }
            most[a] += sum_of_largest(of_square, kSquares[static_cast<std::size_t>(piece % 6)]);
        }
    }
    return most;
}

// The largest sum times `sign` while the own king is in one zone; `others` is what is known to come
// on top.
float reach_in_zone(const nn::SwiftWeights& weights, std::span<const int> first_rows, float sign,
                    std::span<const float> others) {
    const std::size_t width = others.size();
    std::vector<float> most(64 * width);  // [squares][accumulators]
    for (int square = 0; square < 64; ++square) {
        most_of_square(weights, first_rows, square, sign,
                       std::span(most).subspan(static_cast<std::size_t>(square) * width, width));
    }
    float reach = 0;
    for (std::size_t a = 0; a < width; ++a) {
        std::array<float, 64> of_square;
        for (std::size_t i = 0; i < 64; ++i) of_square[i] = most[i * width + a];
        // At most 32 squares are occupied.
        reach = std::max(reach, others[a] + sum_of_largest(of_square, 32));
    }
    return reach;
}

}  // namespace

SwiftPlanWeights plan_weights(SwiftFeatureSet features, const nn::SwiftShape& shape,
                              const nn::SwiftWeights& weights) {
    SwiftPlanWeights plan{shape, weights};
    if (!data::has_zones(features)) return plan;
    const int planes = data::first_zone_plane(features), zones = data::kKingZones;
    plan.shape.inputs = (zones + planes - 1) * data::kInputsPerPlane;
    const std::size_t block =
        static_cast<std::size_t>(data::kInputsPerPlane) * weights.input_weight.shape[1];
    const auto rows = [&](int plane) {
        return std::span(weights.input_weight.values)
            .subspan(static_cast<std::size_t>(plane) * block, block);
    };
    nn::Tensor& merged = plan.weights.input_weight;
    merged.shape[0] = static_cast<std::size_t>(plan.shape.inputs);
    merged.values.clear();
    for (int zone = 0; zone < zones; ++zone) {
        std::transform(rows(0).begin(), rows(0).end(), rows(planes + zone).begin(),
                       std::back_inserter(merged.values), std::plus<>());
    }
    for (int plane = 1; plane < planes; ++plane) {
        merged.values.insert(merged.values.end(), rows(plane).begin(), rows(plane).end());
    }
    return plan;
}

float accumulator_reach(SwiftFeatureSet features, const nn::SwiftShape& shape,
                        const nn::SwiftWeights& weights) {
    const SwiftRows rows{features};
    const int planes = data::plane_count(features);
    float reach = 0;
    for (const float sign : {1.0f, -1.0f}) {
        std::vector<float> others(static_cast<std::size_t>(shape.accumulators));
        if (data::has_control(features)) {
            others = most_of_control(weights, rows.first(planes, {}), sign);
        }
        for (std::size_t a = 0; a < others.size(); ++a) {
            others[a] += sign * weights.input_bias.values[a];
        }
        for (int zone = 0; zone < rows.zones(); ++zone) {
            std::vector<int> first_rows;
            for (int plane = 0; plane < planes; ++plane) {
                first_rows.push_back(rows.first(
                    plane, {chess::Color::White, false, static_cast<std::uint8_t>(zone)}));
            }
            reach = std::max(reach, reach_in_zone(weights, first_rows, sign, others));
        }
    }
    return reach;
}

Result<nn::SwiftInteger> quantize_for_plans(SwiftFeatureSet features, const nn::SwiftShape& shape,
                                            const nn::SwiftWeights& weights) {
    const SwiftPlanWeights plan = plan_weights(features, shape, weights);
    return nn::SwiftInteger::quantize(plan.shape, plan.weights,
                                      accumulator_reach(features, plan.shape, plan.weights));
}

}  // namespace solis::model
