// The lock of a run's folder.
#include "solis/train/run_lock.h"

#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

namespace solis::train {

Result<RunLock> RunLock::take(const std::filesystem::path& folder) {
    const int opened = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (opened < 0) {
        return fail(fmt::format("cannot open '{}': {}", folder.string(), std::strerror(errno)));
    }
    RunLock lock(opened);
    if (::flock(opened, LOCK_EX | LOCK_NB) == 0) return lock;
    if (errno != EWOULDBLOCK) {
        return fail(fmt::format("cannot lock '{}': {}", folder.string(), std::strerror(errno)));
    }
    return fail(fmt::format("another process is training in '{}'", folder.string()),
                "wait for it, or choose another --out folder");
}

RunLock::~RunLock() {
    if (folder_ >= 0) ::close(folder_);
}

}  // namespace solis::train
