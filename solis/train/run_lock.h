// One process at a time trains in a folder.
#pragma once
#include <filesystem>
#include <utility>

#include "solis/base/result.h"

namespace solis::train {

// Holds the lock of a run's folder as long as it lives. The lock is on the folder itself, so that
// it leaves no file behind and ends with the process, however that ends.
class RunLock {
  public:
    // Fails if another process trains there.
    [[nodiscard]] static Result<RunLock> take(const std::filesystem::path& folder);
    RunLock(RunLock&& other) noexcept : folder_(std::exchange(other.folder_, -1)) {}
    RunLock& operator=(RunLock&& other) noexcept {
        std::swap(folder_, other.folder_);
        return *this;
    }
    ~RunLock();

  private:
    explicit RunLock(int folder) : folder_(folder) {}

    int folder_;  // descriptor of the open folder, -1 once moved from
};

}  // namespace solis::train
