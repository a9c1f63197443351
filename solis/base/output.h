// Files that a program is about to write: whether it may, asked before the work begins.
#pragma once
#include <filesystem>

#include "solis/base/result.h"

namespace solis {

// What happens to a file that has the name of an output.
enum class Existing { Refuse, Replace };

// Fails where `path` cannot become an output: it is a folder, the folder it belongs into is
// missing, or it is a file that may not be replaced. Devices and pipes are written to and never
// replaced; "-" (standard output) and the empty path (no output) are fine. Call it before long
// work; PendingFile asks again at the end, when somebody else may have made the file.
[[nodiscard]] Result<void> check_output(const std::filesystem::path& path, Existing existing);

// The failure that tells how to replace a file on purpose.
[[nodiscard]] tl::unexpected<Error> output_exists(const std::filesystem::path& path);

}  // namespace solis
