// The two distributions that tests of significance need.
#include "solis/lab/rating/distributions.h"

#include <cassert>
#include <cmath>
#include <limits>
#include <numbers>

namespace solis::lab {
namespace {

constexpr int kMostTerms = 100'000;  // never reached: both expansions are used where they are short

// x^a e^-x / Gamma(a), the factor of both expansions; in logarithms against overflow.
double gamma_factor(double a, double x) { return std::exp(a * std::log(x) - x - std::lgamma(a)); }

// Lower regularised incomplete gamma function by its power series; for x < a + 1.
double lower_gamma(double a, double x) {
    double term = 1 / a, sum = term;
    for (int n = 1; n < kMostTerms && term > sum * 1e-16; ++n) {
        term *= x / (a + n);
        sum += term;
    }
    return sum * gamma_factor(a, x);
}

// Upper regularised incomplete gamma function by its continued fraction (Lentz); for x >= a + 1.
double upper_gamma(double a, double x) {
    constexpr double kTiny = 1e-300;
    double b = x + 1 - a, c = 1 / kTiny, d = 1 / b, fraction = d;
    for (int n = 1; n < kMostTerms; ++n) {
        const double numerator = -n * (n - a);
        b += 2;
        d = numerator * d + b;
        if (std::abs(d) < kTiny) d = kTiny;
        c = b + numerator / c;
        if (std::abs(c) < kTiny) c = kTiny;
        d = 1 / d;
        const double factor = d * c;
        fraction *= factor;
        if (std::abs(factor - 1) < 1e-15) break;
    }
    return fraction * gamma_factor(a, x);
}

}  // namespace

double normal_cdf(double x) { return 0.5 * std::erfc(-x / std::numbers::sqrt2); }

double normal_quantile(double p) {
    assert(p > 0 && p < 1);
    double low = -40, high = 40;  // the tail beyond is below the smallest double
    while (high - low > 1e-14 * (1 + std::abs(low))) {
        const double middle = (low + high) / 2;
        (normal_cdf(middle) < p ? low : high) = middle;
    }
    return (low + high) / 2;
}

double interval_width(double confidence) { return normal_quantile(0.5 + confidence / 2); }

double chi_square_tail(double x, double df) {
    assert(x >= 0 && df > 0);
    if (x == 0) return 1;
    const double a = df / 2, half = x / 2;
    return half < a + 1 ? 1 - lower_gamma(a, half) : upper_gamma(a, half);
}

}  // namespace solis::lab
