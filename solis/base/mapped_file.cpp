// Memory-mapped files.
#include "solis/base/mapped_file.h"

#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace solis {
namespace {

Result<std::string_view> map_descriptor(int descriptor) {
    struct stat info {};
    if (::fstat(descriptor, &info) != 0) return fail(std::strerror(errno));
    if (!S_ISREG(info.st_mode)) return fail("not a regular file");
    if (info.st_size == 0) return std::string_view{};
    const auto size = static_cast<std::size_t>(info.st_size);
    void* data = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, descriptor, 0);
    if (data == MAP_FAILED) return fail(std::strerror(errno));
    return std::string_view(static_cast<const char*>(data), size);
}

}  // namespace

Result<MappedFile> MappedFile::open(const std::string& path) {
    const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) {
        return fail(fmt::format("cannot open '{}': {}", path, std::strerror(errno)));
    }
    const auto bytes = map_descriptor(descriptor);
    ::close(descriptor);
    if (!bytes) return fail_in(fmt::format("cannot read '{}'", path), bytes.error());
    return MappedFile(bytes->data(), bytes->size());
}

MappedFile::MappedFile(MappedFile&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}

MappedFile::~MappedFile() {
    if (size_ != 0) ::munmap(const_cast<char*>(data_), size_);
}

}  // namespace solis
