// Temporary files beside an output, and those that killed programs have left there.
#pragma once
#include <filesystem>
#include <string>

#include "solis/base/file_descriptor.h"
#include "solis/base/result.h"

namespace solis {

struct TemporaryFile {
    FileDescriptor file;  // holds the lock that says "somebody is writing this"
    std::string path;     // "NAME.PID-N.tmp" beside NAME
};

// A new empty file beside `path`, made exclusively and locked while its descriptor is open. Files
// of that pattern without a lock belong to programs that were killed; they are removed first.
[[nodiscard]] Result<TemporaryFile> make_temporary(const std::filesystem::path& path);

// Removes the temporary files of killed programs that were to become `path`; tells how many.
std::size_t remove_stale_temporaries(const std::filesystem::path& path);

}  // namespace solis
