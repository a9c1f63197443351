// Tuning several numbers at once by games: simultaneous perturbation stochastic approximation.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "solis/base/result.h"

namespace solis::lab {

struct TunedNumber {
    std::string name;
    double value = 0;  // where it stands
    double step = 1;   // by how much a trial changes it in the end; more in the beginning
    double lean = 0;   // points by which larger values were ahead of smaller ones so far
};

// Each trial moves all numbers a step up or down at random for A, and the other way for B. A and B
// play a pair of games, and what won is where the numbers go, a little. (Spall 1992; constants as
// match runners of chess engines use them.)
class Spsa {
  public:
    struct Options {
        std::uint64_t trials = 1000;
        // By how many steps a pair won by two points moves a number in the end. With 0 nothing
        // moves, and the trials only tell what each number is worth.
        double rate = 0.02;
        std::uint64_t seed = 1;
    };
    struct Trial {
        std::vector<double> a;
        std::vector<double> b;
    };

    Spsa(std::vector<TunedNumber> numbers, const Options& options);

    [[nodiscard]] bool is_over() const { return done_ >= options_.trials; }
    [[nodiscard]] std::uint64_t done() const { return done_; }
    [[nodiscard]] const Options& options() const { return options_; }
    [[nodiscard]] const std::vector<TunedNumber>& numbers() const { return numbers_; }
    // The trial to play now; the same until learn() is called.
    [[nodiscard]] Trial next() const;
    // A's points in a pair of games of that trial: 0 to 2.
    void learn(double points);

    // What a number a step up is worth against the same a step down, by all trials so far. All
    // numbers change in every trial, independently of one another, so each effect is known as well
    // as if all games had been played about it alone.
    struct Effect {
        double elo = 0;
        double error = 0;  // 95 %
    };
    [[nodiscard]] Effect effect(std::size_t number) const;

    // All of its state as text, and back. The rest of a tuning that was read back is that of one
    // which was never stopped.
    [[nodiscard]] std::string to_json() const;
    [[nodiscard]] static Result<Spsa> from_json(std::string_view text);

  private:
    [[nodiscard]] std::vector<int> signs() const;  // of A's changes in the trial to play now
    [[nodiscard]] double perturbation() const;     // in steps
    [[nodiscard]] double gain() const;             // in steps for a point ahead

    std::vector<TunedNumber> numbers_;
    Options options_;
    std::uint64_t done_ = 0;
    double spread_ = 0;  // sum of the squares of A's lead in a pair
};

}  // namespace solis::lab
