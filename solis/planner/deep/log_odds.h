// Values inside the deep plan: log-odds of the calibrated win probability.
#pragma once
#include <algorithm>
#include <cstdint>
#include <vector>

#include "solis/planner/value.h"

namespace solis::planner {

// Latent scores saturate near the ends of the axis: between 800 and 1200 centipawns lies a third of
// what lies between 0 and 100. The margins of pruning and reductions mean the same everywhere only
// on the scale of log-odds. The deep plan computes with it, in quarters of a centipawn, 0 being an
// even game for either side, and gives its results back on the scale of all plans.
class LogOdds {
  public:
    static constexpr int kPerCentipawn = 4;

    explicit LogOdds(const model::LoadedModel& model);

    // From a value on the scale of all plans, where `draw` is the value of a draw to the same side.
    // Decided games stay what they are.
    [[nodiscard]] Value from_plan(Value value, Value draw) const {
        if (is_decided(value)) return value;
        const int at = std::clamp(value - draw, -kReach, kReach);
        return table_[static_cast<std::size_t>(at + kReach)];
    }
    // Back again: the value on the scale of all plans whose log-odds come nearest.
    [[nodiscard]] Value to_plan(Value log_odds, Value draw) const;

  private:
    // Scores of endings lie outside of those of other positions, up to a little above 2.
    static constexpr int kReach = 24'000;

    std::vector<std::int16_t> table_;  // of the centred scores from -kReach to kReach
};

}  // namespace solis::planner
