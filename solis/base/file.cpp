// Atomic file replacement.
#include "solis/base/file.h"

#include "solis/base/pending_file.h"

namespace solis {

Result<void> write_file_atomically(const std::filesystem::path& path, std::string_view content,
                                   Existing existing) {
    auto file = PendingFile::create(path, existing);
    if (!file) return tl::unexpected(file.error());
    if (auto written = file->write(content); !written) return written;
    return file->commit();
}

}  // namespace solis
