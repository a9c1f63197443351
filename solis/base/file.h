// Files that are never half written.
#pragma once
#include <filesystem>
#include <string_view>

#include "solis/base/output.h"
#include "solis/base/result.h"

namespace solis {

// Writes a temporary beside `path`, syncs it and renames it: readers see the old file or the new
// one, whatever happens in between.
[[nodiscard]] Result<void> write_file_atomically(const std::filesystem::path& path,
                                                 std::string_view content,
                                                 Existing existing = Existing::Replace);

}  // namespace solis
