// A folder of its own for one test, removed in the end.
#pragma once
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>

#include "solis/base/scratch_folder.h"

namespace solis {

class TemporaryFolder {
  public:
    // `value()` throws where there can be no folder, which ends the test.
    TemporaryFolder() : folder_(ScratchFolder::make().value()) {}

    [[nodiscard]] std::filesystem::path operator/(std::string_view name) const {
        return folder_ / name;
    }
    [[nodiscard]] const std::filesystem::path& path() const { return folder_.path(); }
    // The path as text, for command lines.
    [[nodiscard]] std::string file(std::string_view name) const {
        return (folder_ / name).string();
    }
    // Writes a file and tells its path.
    std::string write(const std::string& name, std::string_view content) const {
        std::ofstream(folder_ / name, std::ios::binary) << content;
        return file(name);
    }
    [[nodiscard]] std::string read(const std::string& name) const {
        std::ifstream file(folder_ / name, std::ios::binary);
        return {std::istreambuf_iterator<char>(file), {}};
    }
    [[nodiscard]] std::size_t entries() const {
        return static_cast<std::size_t>(
            std::distance(std::filesystem::directory_iterator(path()), {}));
    }

  private:
    ScratchFolder folder_;
};

}  // namespace solis
