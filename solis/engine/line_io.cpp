// Lines over file descriptors.
#include "solis/engine/line_io.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/stat.h>
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
            if (failure_ == 0 && errno != EPIPE) failure_ = errno;
            return;
        }
    }
}

Result<void> DescriptorOutput::status() const {
    const std::lock_guard lock(mutex_);
    if (failure_ == 0) return {};
    return fail(fmt::format("cannot write standard output: {}", std::strerror(failure_)));
}

WakeSignal::WakeSignal() : descriptor_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {}

WakeSignal::~WakeSignal() {
    if (descriptor_ >= 0) ::close(descriptor_);
}

void WakeSignal::raise() {
    const std::uint64_t one = 1;
    (void)!::write(descriptor_, &one, sizeof one);
}

void WakeSignal::clear() {
    std::uint64_t count = 0;
    (void)!::read(descriptor_, &count, sizeof count);
}

bool DescriptorInput::wait() const {
    if (wake_ < 0) return true;
    std::array<pollfd, 2> ready{pollfd{descriptor_, POLLIN, 0}, pollfd{wake_, POLLIN, 0}};
    while (::poll(ready.data(), ready.size(), -1) < 0) {
        if (errno != EINTR) return true;
    }
    return ready[0].revents != 0;
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
        if (!wait()) return Status::Woken;
        at_end_ = !fill();
    }
}

Result<void> DialogueLog::open(const std::string& path) {
    const std::lock_guard lock(mutex_);
    file_.reset();
    if (path.empty()) return {};
    const auto failure = [&](const char* reason) {
        return fail(fmt::format("cannot write the log '{}': {}", path, reason));
    };
    constexpr mode_t kReadableByAll = 0644;
    // Without O_NONBLOCK opening a pipe would wait for its reader.
    const int flags = O_WRONLY | O_CREAT | O_APPEND | O_NONBLOCK | O_CLOEXEC;
    const int descriptor = ::open(path.c_str(), flags, kReadableByAll);
    struct stat info {};
    if (descriptor < 0) return failure(errno == ENXIO ? "it is a pipe" : std::strerror(errno));
    if (::fstat(descriptor, &info) == 0 && (S_ISFIFO(info.st_mode) || S_ISSOCK(info.st_mode))) {
        ::close(descriptor);
        return failure("it is a pipe");
    }
    file_.reset(::fdopen(descriptor, "a"));
    if (file_) return {};
    ::close(descriptor);
    return failure(std::strerror(errno));
}

void DialogueLog::add(std::string_view arrow, std::string_view lines) {
    const std::lock_guard lock(mutex_);
    if (!file_) return;
    const std::string text = fmt::format("{} {}\n", arrow, lines);
    (void)std::fwrite(text.data(), 1, text.size(), file_.get());  // a full disk stops no game
    std::fflush(file_.get());
}

}  // namespace solis::engine
