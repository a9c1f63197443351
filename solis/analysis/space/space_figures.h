// Figures of a latent space as such: by them models are compared as representations.
#pragma once
#include <optional>
#include <vector>

#include "solis/analysis/space/sample.h"
#include "solis/analysis/space/space_model.h"

namespace solis::analysis {

// The same positions and games for every model.
struct SpaceSample {
    std::vector<chess::Position> positions;
    std::vector<std::optional<float>> labels;  // White's win probability
    std::vector<SeenGame> games;               // of two moves or more

    [[nodiscard]] bool labelled() const;
};
[[nodiscard]] Result<SpaceSample> take_space_sample(const std::string& input, std::size_t positions,
                                                    std::size_t games, Seed seed,
                                                    const SpaceModel& generator,
                                                    const Listener& listener);

struct CalibrationBin {
    double predicted = 0;  // mean
    double actual = 0;     // mean label
    std::size_t count = 0;
};

// What needs labels or results is missing where the sample has none.
struct SpaceFigures {
    std::size_t dims = 0;
    std::optional<double> linear;       // share of p's variance that the score explains by a line
    std::optional<double> monotone;     // rank correlation of score and p (Spearman)
    std::optional<double> calibration;  // expected calibration error
    std::vector<CalibrationBin> bins;
    std::optional<double>
        local_spread;  // standard deviation of p among 15 nearest neighbours, mean
    std::optional<double> global_spread;  // the same among all positions
    double uniformity = 0;      // log mean exp(-2 |z - z'|^2) (Wang and Isola); lower is more even
    double intrinsic_dims = 0;  // by the two nearest neighbours (Facco and others)
    double effective_dims = 0;  // participation ratio of the principal components
    std::optional<double> angle;    // mean between one step of a game and the next, degrees
    std::optional<double> towards;  // share of the steps of decided games that go the winner's way
};

// `axis` of length 1 in the model's space. Predictions are left out where `predicts` is false.
[[nodiscard]] SpaceFigures space_figures(const SpaceSample& sample, const SpaceModel& model,
                                         std::span<const float> axis, bool predicts,
                                         ThreadPool& pool);

// The direction from the mean of positions that Black wins (p below 0.25) to that of those White
// wins: the axis of a model that has none of its own. None where a side wins nothing.
[[nodiscard]] std::optional<std::vector<float>> sample_axis(const SpaceSample& sample,
                                                            const SpaceModel& model,
                                                            ThreadPool& pool);

}  // namespace solis::analysis
