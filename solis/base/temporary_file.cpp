// Temporary files are told from abandoned ones by a lock, which ends with the program that holds
// it.
#include "solis/base/temporary_file.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string_view>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "solis/base/text.h"

namespace solis {
namespace {

namespace fs = std::filesystem;

// A lock of the open file, not of the process, so that two outputs of one process differ. It is not
// flock(), because HDF5 takes that one on the same file through a descriptor of its own.
bool try_lock(int fd) {
    struct flock whole {};
    whole.l_type = F_WRLCK;
    whole.l_whence = SEEK_SET;
    return ::fcntl(fd, F_OFD_SETLK, &whole) == 0;
}

// False once another program has removed the name, or made another file of it.
bool is_still_named(int fd, const std::string& path) {
    struct stat open {
    }, named{};
    return ::fstat(fd, &open) == 0 && ::lstat(path.c_str(), &named) == 0 &&
           open.st_dev == named.st_dev && open.st_ino == named.st_ino;
}

// Whether `name` is "STEM.digits-digits.tmp".
bool is_temporary_of(std::string_view name, std::string_view stem) {
    constexpr std::string_view kEnding = ".tmp";
    if (!name.starts_with(stem) || !name.ends_with(kEnding)) return false;
    if (name.size() < stem.size() + 4 + kEnding.size() || name[stem.size()] != '.') return false;
    const std::string_view number =
        name.substr(stem.size() + 1, name.size() - stem.size() - 1 - kEnding.size());
    const std::size_t dash = number.find('-');
    if (dash == 0 || dash == std::string_view::npos || dash + 1 == number.size()) return false;
    const std::string_view pid = number.substr(0, dash), count = number.substr(dash + 1);
    return std::all_of(pid.begin(), pid.end(), is_digit) &&
           std::all_of(count.begin(), count.end(), is_digit);
}

bool remove_if_stale(const std::string& path) {
    auto file = FileDescriptor::open(path, O_RDWR | O_NOFOLLOW | O_NONBLOCK);
    if (!file || !try_lock(file->get()) || !is_still_named(file->get(), path)) return false;
    return ::unlink(path.c_str()) == 0;
}

}  // namespace

std::size_t remove_stale_temporaries(const fs::path& path) {
    const fs::path folder = path.has_parent_path() ? path.parent_path() : fs::path(".");
    const std::string stem = path.filename().string();
    std::error_code error;
    std::size_t removed = 0;
    for (fs::directory_iterator entry(folder, error), end; !error && entry != end;
         entry.increment(error)) {
        if (!is_temporary_of(entry->path().filename().string(), stem)) continue;
        removed += remove_if_stale(entry->path().string()) ? 1 : 0;
    }
    return removed;
}

Result<TemporaryFile> make_temporary(const fs::path& path) {
    remove_stale_temporaries(path);
    constexpr int kAttempts = 1000;
    constexpr mode_t kReadableByAll = 0644;
    for (int attempt = 0; attempt < kAttempts; ++attempt) {
        std::string name = fmt::format("{}.{}-{}.tmp", path.string(), ::getpid(), attempt);
        const int fd = ::open(name.c_str(), O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
                              kReadableByAll);
        if (fd < 0 && errno == EEXIST) continue;
        if (fd < 0) {
            return fail(fmt::format("cannot write '{}': {}", path.string(), std::strerror(errno)));
        }
        FileDescriptor file = FileDescriptor::own(fd);
        // Where the file system has no locks nobody can take ours for abandoned, either. Between
        // making and locking it another program may have; then the next name is tried.
        if (!try_lock(fd) && (errno == EACCES || errno == EAGAIN)) continue;
        if (is_still_named(fd, name)) return TemporaryFile{std::move(file), std::move(name)};
    }
    return fail(fmt::format("cannot write '{}': no name for a temporary file", path.string()));
}

}  // namespace solis
