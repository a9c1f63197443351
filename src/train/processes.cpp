// Loading the MPI module.
#include "train/processes.h"

#include <cstdlib>
#include <filesystem>
#include <string>

#include <dlfcn.h>

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
    std::error_code error;
    const auto command = std::filesystem::read_symlink("/proc/self/exe", error);
    const std::string path = (command.parent_path() / "solis-mpi.so").string();
    // Global, because Open MPI's own plug-ins look for its symbols there. Never closed: the
    // communicator's code is in it.
    void* const module = ::dlopen(path.c_str(), RTLD_NOW | RTLD_GLOBAL);
    if (module == nullptr) {
        return fail(fmt::format("started by mpirun, but MPI cannot be loaded: {}", ::dlerror()),
                    "install libopenmpi-dev and build again: scripts/setup && make build");
    }
    using Make = Communicator* (*)();
    const auto make = reinterpret_cast<Make>(::dlsym(module, "solis_make_communicator"));
    if (make == nullptr) return fail(fmt::format("'{}' is of another version", path));
    return std::unique_ptr<Communicator>(make());
}

}  // namespace solis::train
