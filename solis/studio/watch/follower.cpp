// Reading on where reading ended.
#include "solis/studio/watch/follower.h"

#include <fmt/format.h>

#include "solis/base/file_descriptor.h"

namespace solis::studio {
namespace {

constexpr std::size_t kMostAtOnce = 4 << 20;
constexpr std::size_t kLongestLine = 16 << 20;

}  // namespace

Result<FileFollower::Fresh> FileFollower::read() {
    const auto file = FileDescriptor::open_regular(path_);
    if (!file) return tl::unexpected(file.error());
    const auto size = file->size();
    if (!size) return tl::unexpected(size.error());
    Fresh fresh;
    if (*size < offset_) {
        fresh.restarted = true;
        offset_ = 0;
        rest_.clear();
    }
    std::vector<std::uint8_t> buffer(
        static_cast<std::size_t>(std::min<std::uint64_t>(*size - offset_, kMostAtOnce)));
    const auto got = file->read_at(offset_, buffer);
    if (!got) return tl::unexpected(got.error());
    offset_ += *got;
    fresh.more = offset_ < *size;
    rest_.append(buffer.begin(), buffer.begin() + static_cast<std::ptrdiff_t>(*got));
    std::size_t begin = 0;
    for (std::size_t end = rest_.find('\n'); end != std::string::npos;
         end = rest_.find('\n', begin)) {
        fresh.lines.push_back(rest_.substr(begin, end - begin));
        begin = end + 1;
    }
    rest_.erase(0, begin);
    if (rest_.size() > kLongestLine) return fail(fmt::format("'{}' has no lines", path_));
    return fresh;
}

}  // namespace solis::studio
