// Files that appear when they are complete.
#include "base/pending_file.h"

#include <cerrno>
#include <cstdio>
#include <cstring>

#include <fcntl.h>
#include <unistd.h>

namespace solis {

PendingFile::PendingFile(int descriptor, std::string path, std::string temporary)
    : descriptor_(descriptor), path_(std::move(path)), temporary_(std::move(temporary)) {}

PendingFile::PendingFile(PendingFile&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)),
      path_(std::move(other.path_)),
      temporary_(std::move(other.temporary_)) {}

PendingFile::~PendingFile() {
    if (descriptor_ < 0) return;
    ::close(descriptor_);
    ::unlink(temporary_.c_str());
}

tl::unexpected<Error> PendingFile::failure() const {
    return fail(fmt::format("cannot write '{}': {}", path_, std::strerror(errno)));
}

Result<PendingFile> PendingFile::create(const std::filesystem::path& path) {
    std::string temporary = fmt::format("{}.{}.tmp", path.string(), ::getpid());
    const int descriptor =
        ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    PendingFile file(descriptor, path.string(), std::move(temporary));
    if (descriptor < 0) return file.failure();
    return file;
}

Result<void> PendingFile::write(std::string_view bytes) {
    while (!bytes.empty()) {
        const ssize_t n = ::write(descriptor_, bytes.data(), bytes.size());
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return failure();
        bytes.remove_prefix(static_cast<std::size_t>(n));
    }
    return {};
}

Result<void> PendingFile::commit() {
    if (::fsync(descriptor_) != 0) return failure();
    if (std::rename(temporary_.c_str(), path_.c_str()) != 0) return failure();
    ::close(std::exchange(descriptor_, -1));
    return {};
}

}  // namespace solis
