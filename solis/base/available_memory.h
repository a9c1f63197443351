// How much memory this process may still take.
#pragma once
#include <cstdint>
#include <filesystem>
#include <optional>

namespace solis {

// Bytes that can be taken and written to without the system having to end a process: what Linux
// calls MemAvailable, or what is left of the smallest memory limit of the process's control groups.
// None where the system does not tell. `root` is where /proc and /sys are found.
[[nodiscard]] std::optional<std::uint64_t> available_memory(
    const std::filesystem::path& root = "/");

}  // namespace solis
