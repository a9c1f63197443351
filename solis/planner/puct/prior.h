// How likely a move is by its latent score alone.
#pragma once
#include <cmath>

#include "solis/planner/value.h"

namespace solis::planner {

// Temperature of the softmax over the moves of a position, in units of a value.
inline constexpr double kPriorTemperature = 900;

// Before it is divided by the sum over all moves; `best` is the best latent value among them.
[[nodiscard]] inline double prior_weight(Value latent, Value best) {
    return std::exp((latent - best) / kPriorTemperature);
}

}  // namespace solis::planner
