// The lock of a folder.
#include "solis/base/folder_lock.h"

#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

namespace solis {

Result<FolderLock> FolderLock::take(const std::filesystem::path& folder, std::string_view work) {
    const int opened = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (opened < 0) {
        return fail(fmt::format("cannot open '{}': {}", folder.string(), std::strerror(errno)));
    }
    FolderLock lock(opened);
    if (::flock(opened, LOCK_EX | LOCK_NB) == 0) return lock;
    if (errno != EWOULDBLOCK) {
        return fail(fmt::format("cannot lock '{}': {}", folder.string(), std::strerror(errno)));
    }
    return fail(fmt::format("another process is {} in '{}'", work, folder.string()),
                "wait for it, or choose another folder");
}

FolderLock::~FolderLock() {
    if (folder_ >= 0) ::close(folder_);
}

}  // namespace solis
