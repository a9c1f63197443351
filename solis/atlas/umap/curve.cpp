// Fitting the similarity curve, and tables of the forces.
#include "solis/atlas/umap/curve.h"

#include <cmath>
#include <vector>

namespace solis::atlas {
namespace {

constexpr int kFitted = 300;

struct Sum {
    double squares = 0;             // of the residuals
    double aa = 0, ab = 0, bb = 0;  // J^T J
    double ga = 0, gb = 0;          // J^T residuals
};

Sum residuals(const Curve& curve, double min_dist, double spread) {
    Sum sum;
    for (int i = 0; i < kFitted; ++i) {
        const double d = 3 * spread * i / (kFitted - 1);
        const double wanted = d < min_dist ? 1 : std::exp(-(d - min_dist) / spread);
        const double power = d > 0 ? std::pow(d, 2 * curve.b) : 0;
        const double value = 1 / (1 + curve.a * power);
        const double r = wanted - value;
        const double da = -value * value * power;
        const double db = d > 0 ? -value * value * curve.a * power * 2 * std::log(d) : 0;
        sum.squares += r * r;
        sum.aa += da * da, sum.ab += da * db, sum.bb += db * db;
        sum.ga += da * r, sum.gb += db * r;
    }
    return sum;
}

}  // namespace

// Levenberg and Marquardt's method in two unknowns.
Curve fit_curve(double min_dist, double spread) {
    Curve curve{1, 1};
    Sum sum = residuals(curve, min_dist, spread);
    double damping = 1e-3;
    for (int round = 0; round < 200 && damping < 1e12; ++round) {
        const double aa = sum.aa * (1 + damping), bb = sum.bb * (1 + damping);
        const double determinant = aa * bb - sum.ab * sum.ab;
        const Curve next{curve.a + (bb * sum.ga - sum.ab * sum.gb) / determinant,
                         curve.b + (aa * sum.gb - sum.ab * sum.ga) / determinant};
        const bool usable = next.a > 0 && next.b > 0 && std::isfinite(next.a + next.b);
        const Sum next_sum = usable ? residuals(next, min_dist, spread) : sum;
        if (usable && next_sum.squares < sum.squares) {
            curve = next, sum = next_sum, damping /= 10;
        } else {
            damping *= 10;
        }
    }
    return curve;
}

Forces::Forces(const Curve& curve) {
    const auto attraction = [&](double squared) {
        const double power = std::pow(squared, curve.b);
        return -2 * curve.a * curve.b * power / squared / (1 + curve.a * power);
    };
    // umap-learn adds 0.001 to keep it finite.
    const auto repulsion = [&](double squared) {
        return 2 * curve.b / ((0.001 + squared) * (1 + curve.a * std::pow(squared, curve.b)));
    };
    constexpr double kPart = 1 << 17;  // values of a float within one step
    for (std::size_t i = 0; i < attraction_.size(); ++i) {
        const int exponent = static_cast<int>(i) / kSteps + kLowest;
        const double from = std::ldexp(1.0 + static_cast<double>(i % kSteps) / kSteps, exponent);
        const double to = std::ldexp(1.0 + static_cast<double>(i % kSteps + 1) / kSteps, exponent);
        attraction_[i] = {static_cast<float>(attraction(from)),
                          static_cast<float>((attraction(to) - attraction(from)) / kPart)};
        repulsion_[i] = {static_cast<float>(repulsion(from)),
                         static_cast<float>((repulsion(to) - repulsion(from)) / kPart)};
    }
}

}  // namespace solis::atlas
