// A seed from the system, different every time: for what no result may depend on.
#pragma once
#include "solis/base/rng.h"

namespace solis {

[[nodiscard]] Seed system_seed();

}  // namespace solis
