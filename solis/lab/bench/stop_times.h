// How long a plan goes on after it was told to stop, apart from what a busy machine adds.
#pragma once
#include <algorithm>
#include <chrono>
#include <memory>
#include <vector>

#include "solis/base/rng.h"
#include "solis/planner/plan.h"

namespace solis::lab {

// A middlegame that no plan finishes.
inline constexpr const char* kStoppedPosition =
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10";

// Milliseconds, sorted.
class SortedTimes {
  public:
    void add(double ms) {
        values_.insert(std::upper_bound(values_.begin(), values_.end(), ms), ms);
    }
    [[nodiscard]] double quantile(double share) const {
        return values_[static_cast<std::size_t>(share * static_cast<double>(values_.size() - 1))];
    }
    [[nodiscard]] double median() const { return quantile(0.5); }
    [[nodiscard]] double most() const { return values_.back(); }

  private:
    std::vector<double> values_;
};

struct AnswerTimes {
    SortedTimes cpu;
    SortedTimes wall;
};

[[nodiscard]] inline double ms_since(std::chrono::steady_clock::time_point start) {
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start)
        .count();
}

// Stops plans after random amounts of thought, `count` times. CPU time is that of all threads of
// this process together from the stop to the end of the plan, so nothing else may run in it. It is
// more than an idle machine would take on the wall. Stops at which this thread itself lost its
// core are made again.
[[nodiscard]] AnswerTimes measure_plan_stops(const std::shared_ptr<const model::LoadedModel>& model,
                                             const planner::Settings& settings, int count,
                                             Rng& rng);

}  // namespace solis::lab
