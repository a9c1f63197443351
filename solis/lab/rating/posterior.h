// The log-posterior of ratings with its derivatives, and one step of minorisation-maximisation.
// Units: ratings, advantage and draw_elo times kLogPerElo.
#pragma once
#include <cstddef>
#include <vector>

#include "solis/lab/rating/bayes_elo.h"

namespace solis::lab {

struct PosteriorPoint {
    std::vector<double> ratings;  // of every player
    double advantage = 0;
    double draw = 0;
};

// In the order of the parameters: free players, then advantage and draw where they are fitted.
struct Derivatives {
    std::vector<double> gradient;
    SymmetricMatrix curvature;  // minus the second derivatives; positive definite
};

// Concave in all parameters together, so that a climb cannot end in a wrong place.
class Posterior {
  public:
    Posterior(const ResultTable& table, const RatingOptions& options);

    [[nodiscard]] std::size_t parameter_count() const { return parameter_count_; }
    // Anchored players have no place.
    [[nodiscard]] bool is_free(std::size_t player) const { return places_[player] != kNone; }
    [[nodiscard]] std::size_t place(std::size_t player) const { return places_[player]; }
    [[nodiscard]] bool has_anchors() const { return free_players_ < places_.size(); }

    [[nodiscard]] double value(const PosteriorPoint& at) const;
    [[nodiscard]] Derivatives derivatives(const PosteriorPoint& at) const;
    // Adds parameters to a point.
    void move(PosteriorPoint& point, const std::vector<double>& step, double factor) const;
    // Never lowers the posterior, however far the start. Returns the largest change.
    double minorise_maximise(PosteriorPoint& point) const;
    // Sum over pairs (and games without a pair) of the outer product of their gradient.
    [[nodiscard]] SymmetricMatrix scatter(const PosteriorPoint& at) const;

  private:
    static constexpr std::size_t kNone = static_cast<std::size_t>(-1);

    // Games with the same White and Black. A draw counts as a success of both against the same
    // bar, which is how the model reads it.
    struct ColouredGames {
        std::size_t white, black;
        double white_holds;  // wins and draws
        double black_holds;  // losses and draws
        double draws;
    };
    // Derivatives of the log-likelihood of games by White's advantage in rating and by draw.
    struct Slopes {
        double rating = 0, draw = 0;
    };

    [[nodiscard]] static ColouredGames coloured(std::size_t white, std::size_t black,
                                                const Tally& white_results);
    [[nodiscard]] Slopes slopes(const ColouredGames& games, const PosteriorPoint& at) const;
    void add_scatter(SymmetricMatrix& sum, const Encounter& games, const Slopes& as_white,
                     const Slopes& as_black, double count) const;
    double update_advantage(PosteriorPoint& point) const;
    double update_draw(PosteriorPoint& point) const;

    const ResultTable& table_;
    std::vector<ColouredGames> games_;
    std::vector<std::size_t> places_;
    std::size_t free_players_ = 0;
    std::size_t advantage_place_ = kNone;
    std::size_t draw_place_ = kNone;
    std::size_t parameter_count_ = 0;
};

}  // namespace solis::lab
