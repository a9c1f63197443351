// The learning rate over a run.
#pragma once
#include <cstdint>

#include "solis/train/config.h"

namespace solis::train {

// Rate of step `step` (from 0) of `steps`.
[[nodiscard]] float learning_rate_at(const TrainConfig& config, std::uint64_t step,
                                     std::uint64_t steps);

}  // namespace solis::train
