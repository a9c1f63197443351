// Files that appear when they are complete.
#include "solis/base/pending_file.h"

#include <cerrno>
#include <cstdio>
#include <cstring>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include "solis/base/temporary_file.h"

namespace solis {
namespace {

namespace fs = std::filesystem;

// Makes the new name last through a power failure.
Result<void> sync_folder_of(const std::string& path) {
    const fs::path folder = fs::path(path).parent_path();
    const int fd =
        ::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    // A folder that may be written but not read cannot be synced; the file is complete all the
    // same.
    if (fd < 0) return {};
    const bool failed = ::fsync(fd) != 0 && errno != EINVAL && errno != EROFS;
    const int reason = errno;
    ::close(fd);
    if (failed) return fail(fmt::format("cannot sync the folder: {}", std::strerror(reason)));
    return {};
}

// The file that a chain of symbolic links ends in, whether it exists or not.
fs::path without_links(const fs::path& path) {
    std::error_code error;
    if (!fs::is_symlink(path, error)) return path;
    const fs::path target = fs::weakly_canonical(path, error);
    return error ? path : target;
}

}  // namespace

PendingFile::PendingFile(FileDescriptor file, std::string path, std::string temporary,
                         Existing existing)
    : file_(std::move(file)),
      path_(std::move(path)),
      temporary_(std::move(temporary)),
      existing_(existing) {}

PendingFile::~PendingFile() {
    if (file_.is_open() && temporary_ != path_) ::unlink(temporary_.c_str());
}

tl::unexpected<Error> PendingFile::failure(const Error& reason) const {
    return fail_in(fmt::format("cannot write '{}'", path_), reason);
}

Result<PendingFile> PendingFile::create(const fs::path& path, Existing existing) {
    if (auto ok = check_output(path, existing); !ok) return tl::unexpected(ok.error());
    std::error_code error;
    if (fs::exists(path, error) && !fs::is_regular_file(path, error)) {
        auto device = FileDescriptor::open(path, O_WRONLY);
        if (!device) return tl::unexpected(device.error());
        return PendingFile(std::move(*device), path.string(), path.string(), existing);
    }
    const fs::path target = without_links(path);
    auto temporary = make_temporary(target);
    if (!temporary) return tl::unexpected(temporary.error());
    return PendingFile(std::move(temporary->file), target.string(), std::move(temporary->path),
                       existing);
}

Result<void> PendingFile::write(std::string_view bytes) {
    if (auto written = file_.write(as_bytes(bytes)); !written) return failure(written.error());
    return {};
}

Result<void> PendingFile::rename() const {
    const char* const from = temporary_.c_str();
    const char* const to = path_.c_str();
    if (existing_ == Existing::Replace) {
        if (std::rename(from, to) == 0) return {};
        return failure(Error{std::strerror(errno), {}});
    }
    int status = ::renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE);
    if (status != 0 && (errno == EINVAL || errno == ENOSYS)) {
        // File systems that cannot do it in one call: a link is never made over a file.
        status = ::link(from, to);
        if (status == 0) ::unlink(from);
    }
    if (status == 0) return {};
    if (errno == EEXIST) return output_exists(path_);
    return failure(Error{std::strerror(errno), {}});
}

Result<void> PendingFile::commit() {
    if (auto synced = file_.sync(); !synced) return failure(synced.error());
    if (temporary_ != path_) {
        if (auto renamed = rename(); !renamed) return renamed;
        if (auto synced = sync_folder_of(path_); !synced) return failure(synced.error());
    }
    file_ = FileDescriptor();
    return {};
}

}  // namespace solis
