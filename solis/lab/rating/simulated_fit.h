// How improbable a chi-square is, found by playing the same games again inside the model.
#pragma once
#include <optional>

#include "solis/base/rng.h"
#include "solis/lab/rating/ladder_fit.h"

namespace solis::lab {

struct SimulationOptions {
    Seed seed{1};
    int enough = 30;  // simulations as far off as the results end the search
    int most = 5000;  // fewer where the games are many
};

// Probability that games of the rated players, as many and paired as those of the table, are at
// least as far from their own ratings as `observed`. Right for few games, where chi-square's own
// tail is not: a sweep of a few games has no scatter and looks as if it left no doubt. `options`
// are those the ratings were computed with. None where there is nothing to test, where games are
// not whole (results without colours), and where they are so many that the tail is right.
[[nodiscard]] std::optional<double> simulate_p(const ResultTable& table, const Ratings& ratings,
                                               const RatingOptions& options,
                                               const ChiSquare& observed,
                                               const SimulationOptions& simulation = {});

}  // namespace solis::lab
