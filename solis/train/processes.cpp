// Loading the MPI module.
#include "solis/train/processes.h"

#include <cstdlib>

#include <fmt/format.h>

#include "solis/base/module.h"

namespace solis::train {
namespace {

// What the launchers of the common MPIs tell their processes.
bool started_by_mpirun() {
    for (const char* name : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"}) {
        const char* const size = std::getenv(name);
        if (size != nullptr && std::atoi(size) > 1) return true;
    }
    return false;
}

}  // namespace

Result<std::unique_ptr<Communicator>> connect_processes() {
    if (!started_by_mpirun()) return std::make_unique<SingleProcess>();
    const auto function = load_function("solis-mpi", "solis_make_communicator",
                                        // Open MPI's plug-ins look for its symbols there.
                                        ModuleSymbols::Global);
    if (!function) {
        return fail(fmt::format("started by mpirun, but MPI cannot be loaded: {}",
                                function.error().message),
                    "install libopenmpi-dev and build again: scripts/setup && make build");
    }
    using Make = Communicator* (*)();
    return std::unique_ptr<Communicator>(reinterpret_cast<Make>(*function)());
}

}  // namespace solis::train
