// Checks of output paths.
#include "solis/base/output.h"

#include <fmt/format.h>

namespace solis {

tl::unexpected<Error> output_exists(const std::filesystem::path& path) {
    return fail(fmt::format("'{}' exists already", path.string()),
                "choose another name, or give --force to replace it");
}

Result<void> check_output(const std::filesystem::path& path, Existing existing) {
    if (path.empty() || path == "-") return {};
    std::error_code error;
    const std::filesystem::file_status status = std::filesystem::status(path, error);
    if (std::filesystem::is_directory(status)) {
        return fail(fmt::format("cannot write '{}': it is a folder", path.string()));
    }
    if (std::filesystem::is_regular_file(status) && existing == Existing::Refuse) {
        return output_exists(path);
    }
    const std::filesystem::path folder = path.parent_path();
    if (!folder.empty() && !std::filesystem::is_directory(folder, error)) {
        return fail(fmt::format("cannot write '{}': there is no folder '{}'", path.string(),
                                folder.string()));
    }
    return {};
}

}  // namespace solis
