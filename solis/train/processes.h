// Finds the processes of this run: one, or those that mpirun started.
#pragma once
#include <memory>

#include "solis/base/result.h"
#include "solis/train/communicator.h"

namespace solis::train {

// MPI is in a module beside the command, loaded only under mpirun: nothing else depends on it or
// waits for it. Fails where the module is missing.
[[nodiscard]] Result<std::unique_ptr<Communicator>> connect_processes();

}  // namespace solis::train
