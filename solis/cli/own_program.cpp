// Where the running program lies and what its engine is called.
#include "solis/cli/own_program.h"

#include <filesystem>

#include <fmt/format.h>

#include "solis/cli/version.h"

namespace solis::cli {

lab::OwnProgram own_program() {
    std::error_code error;
    const auto path = std::filesystem::read_symlink("/proc/self/exe", error);
    return {.binary = error ? "solis" : path.string(), .name = fmt::format("SOLIS {}", kVersion)};
}

}  // namespace solis::cli
