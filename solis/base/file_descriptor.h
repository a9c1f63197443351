// An open file that closes itself, with reads and writes that do not stop half-way.
#pragma once
#include <cstdint>
#include <filesystem>
#include <utility>

#include "solis/base/bytes.h"
#include "solis/base/result.h"

namespace solis {

class FileDescriptor {
  public:
    FileDescriptor() = default;
    FileDescriptor(FileDescriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
    FileDescriptor& operator=(FileDescriptor&& other) noexcept;
    ~FileDescriptor();

    // Flags as for open(2); close-on-exec is added. The error names the path.
    [[nodiscard]] static Result<FileDescriptor> open(const std::filesystem::path& path, int flags);
    // Refuses folders, devices and pipes, and does not wait for a pipe's other end. Flags as above;
    // 0 is for reading.
    [[nodiscard]] static Result<FileDescriptor> open_regular(const std::filesystem::path& path,
                                                             int flags = 0);
    // Closes `fd` in the end; it must be open.
    [[nodiscard]] static FileDescriptor own(int fd) { return FileDescriptor(fd); }

    [[nodiscard]] int get() const { return fd_; }
    [[nodiscard]] bool is_open() const { return fd_ >= 0; }
    [[nodiscard]] Result<std::uint64_t> size() const;
    // Reads at `offset` without moving the file position: safe from several threads. Fewer bytes
    // than asked for only at the end of the file.
    [[nodiscard]] Result<std::size_t> read_at(std::uint64_t offset,
                                              std::span<std::uint8_t> buffer) const;
    [[nodiscard]] Result<void> write(ByteView bytes) const;
    // Waits until what was written is on the disk.
    [[nodiscard]] Result<void> sync() const;

  private:
    explicit FileDescriptor(int fd) : fd_(fd) {}

    int fd_ = -1;
};

}  // namespace solis
