// Do the results behave as ratings say? A rating is worth quoting only if they do.
#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "solis/lab/rating/bayes_elo.h"
#include "solis/lab/rating/result_table.h"

namespace solis::lab {

struct ChiSquare {
    double value = 0;
    double df = 0;  // degrees of freedom; 0 if nothing can be tested
    std::optional<double> simulated_p{};

    // Probability of a value at least as high if the model holds: as simulated, or else the tail.
    [[nodiscard]] double p() const { return simulated_p.value_or(tail()); }
    // The limit of p for many games.
    [[nodiscard]] double tail() const;
};

// The score of one player against opponents of different ratings.
struct LadderFit {
    std::size_t player = 0;
    std::size_t opponents = 0;
    // Change of the score in points of 100 games when the opponent is 100 Elo stronger.
    double slope = 0;
    double slope_error = 0;     // standard error
    double expected_slope = 0;  // by the rating model
    ChiSquare as_rated;         // scores against those the ratings predict
    ChiSquare constant;         // scores against one score for all opponents

    // How many standard errors the slope is away from the expected one.
    [[nodiscard]] double deviation() const;
};

struct GoodnessOfFit {
    ChiSquare results;               // all encounters against what the ratings predict
    std::vector<LadderFit> ladders;  // players with enough opponents, far enough apart
    double draws = 0;                // share of draws
    double expected_draws = 0;       // by the model
    double draws_error = 0;          // standard error of the share
};

// All encounters against what the ratings predict.
[[nodiscard]] ChiSquare chi_square_of(const ResultTable& table, const Ratings& ratings);

// Without simulation.
[[nodiscard]] GoodnessOfFit check_fit(const ResultTable& table, const Ratings& ratings);

// What is wrong, one sentence or two each; empty if the results behave like Elo.
[[nodiscard]] std::vector<std::string> fit_warnings(const ResultTable& table,
                                                    const Ratings& ratings,
                                                    const GoodnessOfFit& fit);
// The sentences for one ladder alone, with `name` as its subject.
[[nodiscard]] std::vector<std::string> ladder_warnings(const LadderFit& ladder,
                                                       const std::string& name);

}  // namespace solis::lab
