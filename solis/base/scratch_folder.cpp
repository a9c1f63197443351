// Folders for temporary files.
#include "solis/base/scratch_folder.h"

#include <cerrno>
#include <cstring>
#include <string>
#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <stdlib.h>

namespace solis {

Result<ScratchFolder> ScratchFolder::make() {
    std::error_code error;
    const std::filesystem::path base = std::filesystem::temp_directory_path(error);
    if (error) return fail(fmt::format("no folder for temporary files: {}", error.message()));
    // mkdtemp makes a folder that was not there, unlike a name made of the process's number.
    std::string name = (base / "solis-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) {
        return fail(
            fmt::format("cannot make a folder in '{}': {}", base.string(), std::strerror(errno)));
    }
    return ScratchFolder(name);
}

ScratchFolder::ScratchFolder(ScratchFolder&& other) noexcept
    : path_(std::exchange(other.path_, {})) {}

ScratchFolder& ScratchFolder::operator=(ScratchFolder&& other) noexcept {
    std::swap(path_, other.path_);
    return *this;
}

ScratchFolder::~ScratchFolder() {
    if (path_.empty()) return;
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
}

}  // namespace solis
