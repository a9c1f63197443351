// Atomic file replacement.
#include "solis/base/file.h"

#include <algorithm>

#include "solis/base/pending_file.h"

namespace solis {

bool is_same_file(const std::filesystem::path& a, const std::filesystem::path& b) {
    std::error_code error;
    if (a == b || std::filesystem::equivalent(a, b, error)) return true;
    const auto full_a = std::filesystem::weakly_canonical(a, error);
    if (error) return false;
    const auto full_b = std::filesystem::weakly_canonical(b, error);
    return !error && full_a == full_b;
}

std::string first_named_twice(std::span<const std::string> paths) {
    for (std::size_t i = 1; i < paths.size(); ++i) {
        const auto same = [&](const std::string& before) { return is_same_file(before, paths[i]); };
        const auto before = paths.first(i);
        if (std::any_of(before.begin(), before.end(), same)) return paths[i];
    }
    return {};
}

Result<void> write_file_atomically(const std::filesystem::path& path, std::string_view content,
                                   Existing existing) {
    auto file = PendingFile::create(path, existing);
    if (!file) return tl::unexpected(file.error());
    if (auto written = file->write(content); !written) return written;
    return file->commit();
}

}  // namespace solis
