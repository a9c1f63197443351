// One process at a time works in a folder.
#pragma once
#include <filesystem>
#include <string_view>
#include <utility>

#include "solis/base/result.h"

namespace solis {

// Holds the lock of a folder as long as it lives. The lock is on the folder itself, so that
// it leaves no file behind and ends with the process, however that ends.
class FolderLock {
  public:
    // Fails if another process has it. `work` completes "another process is ..." for the error.
    [[nodiscard]] static Result<FolderLock> take(const std::filesystem::path& folder,
                                                 std::string_view work);
    FolderLock(FolderLock&& other) noexcept : folder_(std::exchange(other.folder_, -1)) {}
    FolderLock& operator=(FolderLock&& other) noexcept {
        std::swap(folder_, other.folder_);
        return *this;
    }
    ~FolderLock();

  private:
    explicit FolderLock(int folder) : folder_(folder) {}

    int folder_;  // descriptor of the open folder, -1 once moved from
};

}  // namespace solis
