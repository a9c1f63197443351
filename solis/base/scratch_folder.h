// A folder for files that nobody needs later.
#pragma once
#include <filesystem>
#include <string_view>

#include "solis/base/result.h"

namespace solis {

// Below the folder for temporary files, under a name that no other process has; removed in the end
// with all that is in it.
class ScratchFolder {
  public:
    [[nodiscard]] static Result<ScratchFolder> make();
    ScratchFolder(ScratchFolder&& other) noexcept;
    ScratchFolder& operator=(ScratchFolder&& other) noexcept;
    ~ScratchFolder();

    [[nodiscard]] const std::filesystem::path& path() const { return path_; }
    [[nodiscard]] std::filesystem::path operator/(std::string_view name) const {
        return path_ / name;
    }

  private:
    explicit ScratchFolder(std::filesystem::path path) : path_(std::move(path)) {}
    std::filesystem::path path_;  // empty: moved from
};

}  // namespace solis
