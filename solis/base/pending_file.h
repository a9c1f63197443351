// A file that is written piece by piece and never seen half written.
#pragma once
#include <filesystem>
#include <string>
#include <string_view>

#include "solis/base/file_descriptor.h"
#include "solis/base/output.h"
#include "solis/base/result.h"

namespace solis {

// A file that appears under its name only when it is complete: it is written under a temporary
// name beside it, and commit() syncs it, renames it and syncs the folder. Without commit() nothing
// stays behind; what a killed program left behind is removed by the next one that writes the file.
// Devices and pipes are written directly. A symbolic link stays, what it points to is replaced.
class PendingFile {
  public:
    // With Existing::Refuse a file of that name is an error here, and also in commit() if it has
    // appeared since.
    [[nodiscard]] static Result<PendingFile> create(const std::filesystem::path& path,
                                                    Existing existing = Existing::Replace);
    PendingFile(PendingFile&&) noexcept = default;
    PendingFile& operator=(PendingFile&&) = delete;
    ~PendingFile();

    [[nodiscard]] Result<void> write(std::string_view bytes);
    [[nodiscard]] Result<void> commit();
    // For a library that insists on opening the file by its name.
    [[nodiscard]] const std::string& temporary_path() const { return temporary_; }

  private:
    PendingFile(FileDescriptor file, std::string path, std::string temporary, Existing existing);
    [[nodiscard]] tl::unexpected<Error> failure(const Error& reason) const;
    [[nodiscard]] Result<void> rename() const;

    FileDescriptor file_;  // closed once committed or moved from
    std::string path_;
    std::string temporary_;  // equal to path_ where it is written directly
    Existing existing_;
};

}  // namespace solis
