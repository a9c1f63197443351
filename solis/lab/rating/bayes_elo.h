// Ratings by the BayesElo model: the most likely ratings given all games, and how sure they are.
#pragma once
#include <cstddef>
#include <vector>

#include "solis/base/result.h"
#include "solis/lab/rating/elo_model.h"
#include "solis/lab/rating/result_table.h"
#include "solis/lab/rating/symmetric_matrix.h"

namespace solis::lab {

// A player whose rating is known.
struct Anchor {
    std::size_t player;
    double elo;
};

struct RatingOptions {
    EloModel model;
    bool fit_advantage = false;
    bool fit_draw_elo = false;
    // Virtual draws between two players that keep ratings finite; each player whose rating is
    // sought brings half of them, spread over its opponents as its games are.
    double prior_draws = 2;
    // Without anchors the mean of all ratings is 0.
    std::vector<Anchor> anchors;
};

// Where an interval comes from.
enum class ErrorSource {
    Model,  // curvature of the likelihood: right if games are independent and the model holds
    Pairs   // scatter of game pairs: right for dependent games of a pair and any share of draws
};

struct Ratings {
    EloModel model;  // with what was fitted
    std::vector<double> elo;
    std::vector<bool> anchored;
    SymmetricMatrix model_covariance;  // of elo; 0 for anchors
    SymmetricMatrix pair_covariance;

    [[nodiscard]] const SymmetricMatrix& covariance(ErrorSource source) const {
        return source == ErrorSource::Model ? model_covariance : pair_covariance;
    }
    [[nodiscard]] double standard_error(std::size_t player, ErrorSource source) const;
    // Probability that `a` is stronger than `b`; 0.5 for equals without doubt.
    [[nodiscard]] double superiority(std::size_t a, std::size_t b, ErrorSource source) const;
    // Probabilities of White's results in a game between two of the players.
    [[nodiscard]] GameOdds odds(std::size_t white, std::size_t black) const;
};

// Covariances of so many players fit in memory and are computed in seconds.
inline constexpr std::size_t kMostRatedPlayers = 2000;

// Fails where ratings are not determined: groups of players that never met, a player without a
// defeat or without a success while there is no prior.
[[nodiscard]] Result<Ratings> rate(const ResultTable& table, const RatingOptions& options);

}  // namespace solis::lab
