// Files that appear when they are complete.
#include "solis/base/pending_file.h"

#include <cerrno>
#include <cstdio>
#include <cstring>

#include <fcntl.h>
#include <unistd.h>

namespace solis {

PendingFile::PendingFile(FileDescriptor file, std::string path, std::string temporary)
    : file_(std::move(file)), path_(std::move(path)), temporary_(std::move(temporary)) {}

PendingFile::~PendingFile() {
    if (file_.is_open()) ::unlink(temporary_.c_str());
}

tl::unexpected<Error> PendingFile::failure(const Error& reason) const {
    return fail_in(fmt::format("cannot write '{}'", path_), reason);
}

Result<PendingFile> PendingFile::create(const std::filesystem::path& path) {
    std::string temporary = fmt::format("{}.{}.tmp", path.string(), ::getpid());
    auto file = FileDescriptor::open(temporary, O_WRONLY | O_CREAT | O_TRUNC);
    if (!file) return tl::unexpected(file.error());
    return PendingFile(std::move(*file), path.string(), std::move(temporary));
}

Result<void> PendingFile::write(std::string_view bytes) {
    if (auto written = file_.write(as_bytes(bytes)); !written) return failure(written.error());
    return {};
}

Result<void> PendingFile::commit() {
    if (auto synced = file_.sync(); !synced) return failure(synced.error());
    if (std::rename(temporary_.c_str(), path_.c_str()) != 0) {
        return failure(Error{std::strerror(errno), {}});
    }
    file_ = FileDescriptor();
    return {};
}

}  // namespace solis
