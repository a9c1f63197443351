// The two distributions that tests of significance need.
#pragma once

namespace solis::lab {

// Probability that a standard normal variable is below x.
[[nodiscard]] double normal_cdf(double x);
// The inverse. 0 < p < 1.
[[nodiscard]] double normal_quantile(double p);
// Half width of a two-sided interval in standard errors: 1.96 for 0.95. 0 < confidence < 1.
[[nodiscard]] double interval_width(double confidence);
// Probability that a chi-square variable with `df` > 0 degrees of freedom is above x >= 0.
[[nodiscard]] double chi_square_tail(double x, double df);

}  // namespace solis::lab
