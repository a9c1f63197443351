// The BayesElo model: how likely each result of a game is, given a difference of ratings.
//
// With d = White's rating - Black's + advantage and f(x) = 1 / (1 + 10^(x / 400)):
//   P(White wins) = f(draw_elo - d),  P(Black wins) = f(draw_elo + d),  draw otherwise.
// Ratings inside the model are stretched: with draws, 1 point of it is worth less than 1 Elo.
// `scale` turns them into Elo as it is commonly understood (score 1 / (1 + 10^(-x / 400)) near
// equality).
#pragma once

namespace solis::lab {

// Ratings in the exponent of e instead of 10^(1/400): what derivatives are simple in.
inline constexpr double kLogPerElo = 0.00575646273248511421;  // ln(10) / 400

struct EloModel {
    double advantage = 32.8;  // of White, in points of the model
    double draw_elo = 97.3;

    // Elo per point of the model; 1 where there are no draws.
    [[nodiscard]] double scale() const;
};

// Probabilities of a game, from one side's view.
struct GameOdds {
    double win = 0;
    double draw = 0;
    double loss = 0;

    [[nodiscard]] double score() const { return win + draw / 2; }
};

// Of White; `difference` = White's rating - Black's in points of the model.
[[nodiscard]] GameOdds odds_of(const EloModel& model, double difference);

// 1 / (1 + e^-x) without overflow.
[[nodiscard]] double logistic(double x);

}  // namespace solis::lab
