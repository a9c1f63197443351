// FileDescriptor over POSIX calls.
#include "solis/base/file_descriptor.h"

#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

namespace solis {

FileDescriptor& FileDescriptor::operator=(FileDescriptor&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
}

FileDescriptor::~FileDescriptor() {
    if (fd_ >= 0) ::close(fd_);
}

Result<FileDescriptor> FileDescriptor::open(const std::filesystem::path& path, int flags) {
    constexpr mode_t kReadableByAll = 0644;
    const int fd = ::open(path.c_str(), flags | O_CLOEXEC, kReadableByAll);
    if (fd < 0) {
        return fail(fmt::format("cannot open '{}': {}", path.string(), std::strerror(errno)));
    }
    FileDescriptor file(fd);
    struct stat info {};
    if (::fstat(fd, &info) == 0 && S_ISDIR(info.st_mode)) {
        return fail(fmt::format("cannot open '{}': it is a folder", path.string()));
    }
    return file;
}

Result<FileDescriptor> FileDescriptor::open_regular(const std::filesystem::path& path, int flags) {
    auto file = open(path, flags | O_NONBLOCK);
    if (!file) return file;
    struct stat info {};
    if (::fstat(file->get(), &info) == 0 && S_ISREG(info.st_mode)) return file;
    const bool writes = (flags & O_ACCMODE) != O_RDONLY;
    return fail(fmt::format("cannot {} '{}': it is not a regular file", writes ? "write" : "read",
                            path.string()));
}

Result<std::uint64_t> FileDescriptor::size() const {
    struct stat info {};
    if (::fstat(fd_, &info) != 0) return fail(std::strerror(errno));
    return static_cast<std::uint64_t>(info.st_size);
}

Result<std::size_t> FileDescriptor::read_at(std::uint64_t offset,
                                            std::span<std::uint8_t> buffer) const {
    std::size_t done = 0;
    while (done < buffer.size()) {
        const ssize_t n = ::pread(fd_, buffer.data() + done, buffer.size() - done,
                                  static_cast<off_t>(offset + done));
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return fail(std::strerror(errno));
        if (n == 0) break;
        done += static_cast<std::size_t>(n);
    }
    return done;
}

Result<void> FileDescriptor::write(ByteView bytes) const {
    while (!bytes.empty()) {
        const ssize_t n = ::write(fd_, bytes.data(), bytes.size());
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return fail(std::strerror(errno));
        bytes = bytes.subspan(static_cast<std::size_t>(n));
    }
    return {};
}

Result<void> FileDescriptor::sync() const {
    // Pipes and some file systems cannot sync, which is no reason to refuse them.
    if (::fdatasync(fd_) != 0 && errno != EINVAL && errno != EROFS) {
        return fail(std::strerror(errno));
    }
    return {};
}

}  // namespace solis
