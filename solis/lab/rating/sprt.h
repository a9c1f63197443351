// Sequential test of two hypotheses about the strength of a player: when to stop a match.
//
// The generalised SPRT: the log-likelihood ratio of the best distribution of results with strength
// elo1 to the best one with elo0. It needs no model of draws and takes pairs as they are.
#pragma once
#include <string>
#include <string_view>

#include "solis/base/result.h"
#include "solis/lab/score_statistics.h"

namespace solis::lab {

enum class EloKind {
    Logistic,   // of the mean score
    Normalised  // of the mean score in standard deviations: needs as many games at any draw rate
};

struct SprtTest {
    double elo0 = 0;
    double elo1 = 5;
    double alpha = 0.05;  // probability to accept elo1 where elo0 is true
    double beta = 0.05;   // probability to accept elo0 where elo1 is true
    EloKind kind = EloKind::Normalised;

    // The test ends when the ratio leaves these bounds.
    [[nodiscard]] double lower_bound() const;
    [[nodiscard]] double upper_bound() const;
};

// "elo0=0,elo1=5,alpha=0.05,beta=0.05,model=normalised"; what is not given keeps its default.
[[nodiscard]] Result<SprtTest> parse_sprt(std::string_view text);
// Whether the numbers make a test: elo0 < elo1, |elo| <= 200, 0 < alpha, beta < 0.5.
[[nodiscard]] Result<void> check_sprt(const SprtTest& test);

enum class SprtDecision { Continue, AcceptElo0, AcceptElo1 };
[[nodiscard]] std::string_view to_string(SprtDecision decision);

// Log-likelihood ratio of elo1 to elo0; 0 without results. By pairs if there are any: games that
// still wait for their partner then do not count. Else by games.
[[nodiscard]] double log_likelihood_ratio(const SprtTest& test, const ScoreCount& match);
// "1.20 in (-2.94, 2.94) for [0, 5] normalised Elo".
[[nodiscard]] std::string sprt_text(const SprtTest& test, double log_ratio);
[[nodiscard]] SprtDecision decide(const SprtTest& test, double log_ratio);

}  // namespace solis::lab
