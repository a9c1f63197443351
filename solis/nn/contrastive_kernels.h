// Inner loops of the contrastive losses.
#pragma once
#include <cstddef>
#include <span>

namespace solis::nn {

// How strongly two labels attract: 0 from the margin on; below it 1, or fading with distance.
struct Attraction {
    float margin;
    bool fades;
};

// Sums over some of the others, as one anchor sees them.
struct PairSums {
    float exponentials = 0;
    float weights = 0;    // attractions
    float attracted = 0;  // attractions times similarities
};

// Replaces similarities, at most 1, by exp((similarity - 1) * scale), and sums. labels[i] belongs
// to row[i]; `label` is the anchor's.
[[nodiscard]] PairSums exponentials(std::span<float> row, const float* labels, float label,
                                    const Attraction& attraction, float scale);

// What each row of the batch gives to the gradient of a pair: a share of the exponential pushes
// apart, a share of the attraction pulls together.
struct PairForces {
    const float* push;
    const float* pull;
};

// row[j] = row[j] * (push[anchor] + push[j]) - attraction * (pull[anchor] + pull[j]).
void pair_gradients(std::span<float> row, const float* labels, std::size_t anchor,
                    const Attraction& attraction, const PairForces& forces);

// Sum of the natural logarithms; all values are above 0.
[[nodiscard]] double sum_of_logs(std::span<const double> values);

}  // namespace solis::nn
