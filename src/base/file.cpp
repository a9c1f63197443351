// Atomic file replacement.
#include "base/file.h"

#include <cerrno>
#include <cstdio>
#include <cstring>

#include <fcntl.h>
#include <unistd.h>

namespace solis {
namespace {

Result<void> write_fully(int descriptor, std::string_view content) {
    while (!content.empty()) {
        const ssize_t n = ::write(descriptor, content.data(), content.size());
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return fail(std::strerror(errno));
        content.remove_prefix(static_cast<std::size_t>(n));
    }
    if (::fsync(descriptor) != 0) return fail(std::strerror(errno));
    return {};
}

}  // namespace

Result<void> write_file_atomically(const std::filesystem::path& path, std::string_view content) {
    const std::string temporary = fmt::format("{}.{}.tmp", path.string(), ::getpid());
    const int descriptor =
        ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    if (descriptor < 0) {
        return fail(fmt::format("cannot write '{}': {}", path.string(), std::strerror(errno)));
    }
    const Result<void> written = write_fully(descriptor, content);
    ::close(descriptor);
    if (!written) {
        ::unlink(temporary.c_str());
        return fail_in(fmt::format("cannot write '{}'", path.string()), written.error());
    }
    if (std::rename(temporary.c_str(), path.c_str()) != 0) {
        const std::string reason = std::strerror(errno);
        ::unlink(temporary.c_str());
        return fail(fmt::format("cannot write '{}': {}", path.string(), reason));
    }
    return {};
}

}  // namespace solis
