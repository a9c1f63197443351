// A file that is written piece by piece and never seen half written.
#pragma once
#include <filesystem>
#include <string>
#include <string_view>

#include "solis/base/file_descriptor.h"
#include "solis/base/result.h"

namespace solis {

// A file that appears under its name only when it is complete: it is written under a temporary
// name beside it, and commit() syncs and renames it. Without commit() nothing stays behind.
class PendingFile {
  public:
    [[nodiscard]] static Result<PendingFile> create(const std::filesystem::path& path);
    PendingFile(PendingFile&&) noexcept = default;
    PendingFile& operator=(PendingFile&&) = delete;
    ~PendingFile();

    [[nodiscard]] Result<void> write(std::string_view bytes);
    [[nodiscard]] Result<void> commit();
    // For a library that insists on opening the file by its name.
    [[nodiscard]] const std::string& temporary_path() const { return temporary_; }

  private:
    PendingFile(FileDescriptor file, std::string path, std::string temporary);
    [[nodiscard]] tl::unexpected<Error> failure(const Error& reason) const;

    FileDescriptor file_;  // closed once committed or moved from
    std::string path_;
    std::string temporary_;
};

}  // namespace solis
