// The BayesElo model: how likely each result of a game is, given a difference of ratings.
#include "solis/lab/rating/elo_model.h"

#include <cmath>

namespace solis::lab {

double logistic(double x) {
    if (x >= 0) return 1 / (1 + std::exp(-x));
    const double power = std::exp(x);
    return power / (1 + power);
}

double EloModel::scale() const {
    const double win = logistic(-draw_elo * kLogPerElo);  // between equals, no advantage
    return 4 * win * (1 - win);
}

GameOdds odds_of(const EloModel& model, double difference) {
    const double d = difference + model.advantage;
    GameOdds odds;
    odds.win = logistic((d - model.draw_elo) * kLogPerElo);
    odds.loss = logistic((-d - model.draw_elo) * kLogPerElo);
    odds.draw = 1 - odds.win - odds.loss;
    return odds;
}

}  // namespace solis::lab
