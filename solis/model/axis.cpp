// Building and applying the advantage axis.
#include "solis/model/axis.h"

#include <cassert>
#include <cmath>

#include <fmt/format.h>

#include "solis/nn/kernels/vector_kernels.h"

namespace solis::model {
namespace {

// Means closer than this come from an encoder that has learned nothing.
constexpr double kMinDistance = 1e-3;
// Unit vectors in float are not exactly of length 1, and neither are their means.
constexpr double kMaxLength = 1.001;
constexpr const char* kAxisHint = "build it from a trained encoder: solis axis";

double dot(std::span<const float> a, std::span<const float> b) {
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i) sum += static_cast<double>(a[i]) * b[i];
    return sum;
}

Result<void> check_mean(const char* name, std::span<const float> mean) {
    for (std::size_t i = 0; i < mean.size(); ++i) {
        if (std::isfinite(mean[i])) continue;
        return fail(fmt::format("axis: {}[{}] is {}, expected a finite number", name, i, mean[i]),
                    kAxisHint);
    }
    const double length = std::sqrt(dot(mean, mean));
    if (length <= kMaxLength) return {};
    return fail(fmt::format("axis: {} has length {:.4g}, expected at most 1 for a mean of unit "
                            "vectors",
                            name, length),
                kAxisHint);
}

Result<std::vector<float>> direction_between(std::span<const float> from,
                                             std::span<const float> to) {
    std::vector<double> difference(from.size());
    double squares = 0;
    for (std::size_t i = 0; i < from.size(); ++i) {
        difference[i] = static_cast<double>(to[i]) - from[i];
        squares += difference[i] * difference[i];
    }
    const double length = std::sqrt(squares);
    if (length < kMinDistance) {
        return fail(fmt::format("axis: the means of won and lost positions are {:.2g} apart, "
                                "expected at least {}",
                                length, kMinDistance),
                    "the encoder does not tell won from lost: train it first");
    }
    std::vector<float> direction(from.size());
    for (std::size_t i = 0; i < from.size(); ++i) {
        direction[i] = static_cast<float>(difference[i] / length);
    }
    return direction;
}

// (direct + the reflection of `other`) / 2.
std::vector<float> half_reflected(std::span<const float> direct, std::span<const float> other,
                                  std::span<const float> direction) {
    const double along = dot(other, direction);
    std::vector<float> mean(direct.size());
    for (std::size_t i = 0; i < mean.size(); ++i) {
        const double reflected = other[i] - 2 * along * direction[i];
        mean[i] = static_cast<float>((direct[i] + reflected) / 2);
    }
    return mean;
}

}  // namespace

float AdvantageAxis::score(std::span<const float> z) const {
    assert(z.size() == dims());
    return nn::dot(z, direction);
}

float AdvantageAxis::anchored_score(std::span<const float> z) const {
    return score(z) - nn::dot(mu_black, direction);
}

void AdvantageAxis::reflect(std::span<float> z) const {
    nn::add_scaled(-2 * score(z), direction, z.data());
}

Result<AdvantageAxis> axis_from_means(std::vector<float> mu_white, std::vector<float> mu_black) {
    if (mu_white.size() != mu_black.size() || mu_white.empty()) {
        return fail(fmt::format("axis: mu_white has {} dimensions, mu_black has {}",
                                mu_white.size(), mu_black.size()),
                    kAxisHint);
    }
    if (auto ok = check_mean("mu_white", mu_white); !ok) return tl::unexpected(ok.error());
    if (auto ok = check_mean("mu_black", mu_black); !ok) return tl::unexpected(ok.error());
    auto direction = direction_between(mu_black, mu_white);
    if (!direction) return tl::unexpected(direction.error());
    return AdvantageAxis{std::move(mu_white), std::move(mu_black), std::move(*direction)};
}

Result<AdvantageAxis> axis_from_mover_means(std::span<const float> mover_wins,
                                            std::span<const float> mover_loses) {
    // The plain means give the same direction and are checked the same way.
    const auto plain = axis_from_means({mover_wins.begin(), mover_wins.end()},
                                       {mover_loses.begin(), mover_loses.end()});
    if (!plain) return plain;
    return axis_from_means(half_reflected(mover_wins, mover_loses, plain->direction),
                           half_reflected(mover_loses, mover_wins, plain->direction));
}

}  // namespace solis::model
