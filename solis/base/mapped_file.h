// A whole file as memory, for formats that are read by offset.
#pragma once
#include <string>
#include <string_view>

#include "solis/base/result.h"

namespace solis {

// Pages are read when touched. The file must not shrink while it is mapped.
class MappedFile {
  public:
    [[nodiscard]] static Result<MappedFile> open(const std::string& path);
    MappedFile(MappedFile&& other) noexcept;
    MappedFile& operator=(MappedFile&&) = delete;
    ~MappedFile();

    // Stays where it is when the object is moved.
    [[nodiscard]] std::string_view bytes() const { return {data_, size_}; }

  private:
    MappedFile(const char* data, std::size_t size) : data_(data), size_(size) {}

    const char* data_;  // nullptr for an empty file
    std::size_t size_;
};

}  // namespace solis
