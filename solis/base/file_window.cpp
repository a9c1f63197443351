// Buffered reads by offset.
#include "solis/base/file_window.h"

#include <algorithm>
#include <cassert>

#include <fmt/format.h>

namespace solis {
namespace {

constexpr std::size_t kWindow = std::size_t{1} << 18;

}  // namespace

Result<FileWindow> FileWindow::open(const std::string& path) {
    auto file = FileDescriptor::open_regular(path);
    if (!file) return tl::unexpected(file.error());
    const auto size = file->size();
    if (!size) return fail_in(fmt::format("cannot read '{}'", path), size.error());
    return FileWindow(std::move(*file), path, *size);
}

Result<std::string_view> FileWindow::view(std::uint64_t offset, std::size_t bytes) {
    assert(offset <= size_ && bytes <= size_ - offset);
    if (offset < begin_ || offset + bytes > begin_ + buffer_.size()) {
        const std::uint64_t wanted = std::max<std::uint64_t>(bytes, kWindow);
        buffer_.resize(static_cast<std::size_t>(std::min(wanted, size_ - offset)));
        begin_ = offset;
        const auto got = file_.read_at(
            offset, {reinterpret_cast<std::uint8_t*>(buffer_.data()), buffer_.size()});
        buffer_.resize(got ? *got : 0);
        if (!got) return fail_in(fmt::format("cannot read '{}'", path_), got.error());
        if (*got < bytes) {
            return fail(fmt::format("'{}' was cut off at byte {} while it was being read", path_,
                                    offset + *got));
        }
    }
    return std::string_view(buffer_).substr(static_cast<std::size_t>(offset - begin_), bytes);
}

}  // namespace solis
