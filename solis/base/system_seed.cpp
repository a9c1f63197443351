// The system's source of randomness.
#include "solis/base/system_seed.h"

#include <random>

namespace solis {

Seed system_seed() {
    std::random_device device;
    return {std::uint64_t{device()} << 32 | device()};
}

}  // namespace solis
