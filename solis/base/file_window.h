// A file that is read by offset.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

#include "solis/base/file_descriptor.h"
#include "solis/base/result.h"

namespace solis {

// Reads through a buffer, so that small pieces in ascending order are cheap. A file that shrinks
// while it is read is an error here; mapped into memory, it would be a signal that ends the
// program.
class FileWindow {
  public:
    // Regular files only.
    [[nodiscard]] static Result<FileWindow> open(const std::string& path);

    // When it was opened.
    [[nodiscard]] std::uint64_t size() const { return size_; }
    // The bytes from `offset` on, valid until the next call. They must lie inside size().
    [[nodiscard]] Result<std::string_view> view(std::uint64_t offset, std::size_t bytes);

  private:
    FileWindow(FileDescriptor file, std::string path, std::uint64_t size)
        : file_(std::move(file)), path_(std::move(path)), size_(size) {}

    FileDescriptor file_;
    std::string path_;
    std::uint64_t size_;
    std::string buffer_;
    std::uint64_t begin_ = 0;  // offset of the buffer in the file
};

}  // namespace solis
