// Atomic file replacement.
#include "base/file.h"

#include <cerrno>
#include <cstdio>
#include <cstring>

#include <fcntl.h>
#include <unistd.h>

#include "base/file_descriptor.h"

namespace solis {
namespace {

Result<void> write_new_file(const std::filesystem::path& path, std::string_view content) {
    const auto file = FileDescriptor::open(path, O_WRONLY | O_CREAT | O_TRUNC);
    if (!file) return tl::unexpected(file.error());
    if (auto written = file->write(as_bytes(content)); !written) return written;
    return file->sync();
}

}  // namespace

Result<void> write_file_atomically(const std::filesystem::path& path, std::string_view content) {
    const std::string temporary = fmt::format("{}.{}.tmp", path.string(), ::getpid());
    if (const auto written = write_new_file(temporary, content); !written) {
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
