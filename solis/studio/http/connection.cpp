// Reads and writes with deadlines on a socket that does not block.
#include "solis/studio/http/connection.h"

#include <algorithm>
#include <cerrno>

#include <poll.h>
#include <sys/socket.h>

namespace solis::studio {
namespace {

using SteadyClock = std::chrono::steady_clock;

// Waits for `events` until the deadline; false when it has passed or the socket is of no more use.
bool wait_for_socket(int fd, short events, SteadyClock::time_point deadline) {
    while (true) {
        const auto left =
            std::chrono::ceil<std::chrono::milliseconds>(deadline - SteadyClock::now());
        if (left.count() <= 0) return false;
        pollfd entry{fd, events, 0};
        const int ready = ::poll(&entry, 1, static_cast<int>(left.count()));
        if (ready > 0) return true;
        if (ready == 0) return false;
        if (errno != EINTR) return false;
    }
}

tl::unexpected<HttpRefusal> refused(int status, const char* message) {
    return tl::unexpected<HttpRefusal>(HttpRefusal{status, message});
}

}  // namespace

HttpConnection::Read HttpConnection::read_some(Clock::time_point deadline) {
    while (true) {
        char bytes[16384];
        const ssize_t got = ::recv(socket_.get(), bytes, sizeof bytes, 0);
        if (got > 0) {
            buffer_.append(bytes, static_cast<std::size_t>(got));
            return Read::Some;
        }
        if (got == 0) return Read::Gone;
        if (errno == EINTR) continue;
        if (errno != EAGAIN && errno != EWOULDBLOCK) return Read::Gone;
        if (!wait_for_socket(socket_.get(), POLLIN, deadline)) return Read::Late;
    }
}

// The length of the head, with the empty line at its end, once all of it is in the buffer.
tl::expected<std::size_t, HttpRefusal> HttpConnection::read_head() {
    if (buffer_.empty() && read_some(Clock::now() + times_->idle) != Read::Some) {
        return refused(0, "");
    }
    const auto deadline = Clock::now() + times_->head;
    std::size_t searched = 0;
    while (true) {
        const std::size_t end = buffer_.find("\r\n\r\n", searched);
        if (end != std::string::npos && end + 4 <= limits_->head_bytes) return end + 4;
        if (buffer_.size() > limits_->head_bytes) return refused(431, "the headers are too long");
        searched = buffer_.size() < 3 ? 0 : buffer_.size() - 3;
        const Read read = read_some(deadline);
        if (read == Read::Late) return refused(408, "the request did not arrive in time");
        if (read == Read::Gone) return refused(0, "");
    }
}

tl::expected<HttpRequest, HttpRefusal> HttpConnection::read_request() {
    const auto head = read_head();
    if (!head) return tl::unexpected<HttpRefusal>(head.error());
    auto request = parse_http_head(std::string_view(buffer_).substr(0, *head), *limits_);
    if (!request) return request;
    buffer_.erase(0, *head);
    request->peer = peer_;
    const auto size = static_cast<std::size_t>(request->body_bytes);
    if (size > buffer_.size() && request->header("expect") == "100-continue" &&
        !write("HTTP/1.1 100 Continue\r\n\r\n")) {
        return refused(0, "");
    }
    const auto deadline = Clock::now() + times_->body;
    while (buffer_.size() < size) {
        const Read read = read_some(deadline);
        if (read == Read::Late) return refused(408, "the body did not arrive in time");
        if (read == Read::Gone) return refused(0, "");
    }
    request->body = buffer_.substr(0, size);
    buffer_.erase(0, size);
    return request;
}

bool HttpConnection::write(std::string_view bytes) {
    const auto more = std::chrono::seconds(bytes.size() >> 16);
    const auto deadline = Clock::now() + times_->write + more;
    while (!bytes.empty()) {
        const ssize_t sent = ::send(socket_.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
        if (sent >= 0) {
            bytes.remove_prefix(static_cast<std::size_t>(sent));
        } else if (errno == EAGAIN || errno == EWOULDBLOCK) {
            if (!wait_for_socket(socket_.get(), POLLOUT, deadline)) return false;
        } else if (errno != EINTR) {
            return false;
        }
    }
    return true;
}

void HttpConnection::drain() {
    constexpr std::size_t kMostDrained = 1 << 20;
    const auto deadline = Clock::now() + std::chrono::milliseconds(500);
    for (std::size_t drained = 0; drained < kMostDrained; drained += buffer_.size()) {
        buffer_.clear();
        if (read_some(deadline) != Read::Some) return;
    }
}

bool HttpConnection::is_open() const {
    if (stopping_->load(std::memory_order_relaxed)) return false;
    pollfd entry{socket_.get(), POLLRDHUP, 0};
    return ::poll(&entry, 1, 0) == 0;
}

}  // namespace solis::studio
