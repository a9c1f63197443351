// Files that are never half written.
#pragma once
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

#include "solis/base/output.h"
#include "solis/base/result.h"

namespace solis {

// Whether two paths name the same file, whatever they are spelled like and through whichever links;
// it need not exist.
[[nodiscard]] bool is_same_file(const std::filesystem::path& a, const std::filesystem::path& b);
// The first path that names the same file as one before it; empty where all differ.
[[nodiscard]] std::string first_named_twice(std::span<const std::string> paths);

// Writes a temporary beside `path`, syncs it and renames it: readers see the old file or the new
// one, whatever happens in between.
[[nodiscard]] Result<void> write_file_atomically(const std::filesystem::path& path,
                                                 std::string_view content,
                                                 Existing existing = Existing::Replace);

}  // namespace solis
