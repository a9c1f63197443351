// Lines over file descriptors.
#include "solis/engine/line_io.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

namespace solis::engine {

void DescriptorOutput::write(std::string_view lines) {
    const std::lock_guard lock(mutex_);
    buffer_.assign(lines);
    buffer_ += '\n';
    std::string_view rest = buffer_;
    while (!rest.empty()) {
        const ssize_t written = ::write(descriptor_, rest.data(), rest.size());
        if (written >= 0) {
            rest.remove_prefix(static_cast<std::size_t>(written));
        } else if (errno == EAGAIN) {
            pollfd ready{descriptor_, POLLOUT, 0};
            (void)::poll(&ready, 1, -1);
        } else if (errno != EINTR) {
            return;
        }
    }
}

bool DescriptorInput::fill() {
    buffer_.erase(0, begin_);
    scanned_ -= begin_;
    begin_ = 0;
    constexpr std::size_t kChunk = std::size_t{1} << 16;
    const std::size_t old_size = buffer_.size();
    buffer_.resize(old_size + kChunk);
    ssize_t got = -1;
    do {
        got = ::read(descriptor_, buffer_.data() + old_size, kChunk);
    } while (got < 0 && errno == EINTR);
    buffer_.resize(old_size + (got > 0 ? static_cast<std::size_t>(got) : 0));
    return got > 0;
}

DescriptorInput::Status DescriptorInput::next(std::string_view& line) {
    for (;;) {
        const std::size_t end = buffer_.find('\n', scanned_);
        if (end != std::string::npos || (at_end_ && begin_ < buffer_.size())) {
            const std::size_t line_end = std::min(end, buffer_.size());
            line = std::string_view(buffer_).substr(begin_, line_end - begin_);
            begin_ = scanned_ = std::min(line_end + 1, buffer_.size());
            const bool too_long = std::exchange(skipping_, false) || line.size() > kMaxLine;
            return too_long ? Status::TooLong : Status::Line;
        }
        if (at_end_) return std::exchange(skipping_, false) ? Status::TooLong : Status::End;
        scanned_ = buffer_.size();
        if (scanned_ - begin_ > kMaxLine) {
            skipping_ = true;
            begin_ = scanned_;
        }
        at_end_ = !fill();
    }
}

Result<void> DialogueLog::open(const std::string& path) {
    const std::lock_guard lock(mutex_);
    file_.reset();
    if (path.empty()) return {};
    file_.reset(std::fopen(path.c_str(), "ae"));
    if (file_) return {};
    return fail(fmt::format("cannot write the log '{}': {}", path, std::strerror(errno)));
}

void DialogueLog::add(std::string_view arrow, std::string_view lines) {
    const std::lock_guard lock(mutex_);
    if (!file_) return;
    const std::string text = fmt::format("{} {}\n", arrow, lines);
    (void)std::fwrite(text.data(), 1, text.size(), file_.get());  // a full disk stops no game
    std::fflush(file_.get());
}

}  // namespace solis::engine
