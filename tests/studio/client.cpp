// Sockets for tests.
#include "tests/studio/client.h"

#include <algorithm>

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>

namespace solis::studio {
namespace {

using Clock = std::chrono::steady_clock;

Reply parsed_head(std::string_view head) {
    Reply reply;
    reply.status = std::stoi(std::string(head.substr(9, 3)));
    head.remove_prefix(head.find("\r\n") + 2);
    while (!head.empty() && !head.starts_with("\r\n")) {
        const std::string_view line = head.substr(0, head.find("\r\n"));
        const std::size_t colon = line.find(": ");
        reply.headers[std::string(line.substr(0, colon))] = line.substr(colon + 2);
        head.remove_prefix(line.size() + 2);
    }
    return reply;
}

}  // namespace

TestClient::TestClient(std::uint16_t port) {
    FileDescriptor socket = FileDescriptor::own(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (::connect(socket.get(), reinterpret_cast<sockaddr*>(&address), sizeof address) == 0) {
        socket_ = std::move(socket);
    }
}

bool TestClient::send(std::string_view bytes) {
    while (!bytes.empty()) {
        const ssize_t sent = ::send(socket_.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
        if (sent < 0) return false;
        bytes.remove_prefix(static_cast<std::size_t>(sent));
    }
    return true;
}

bool TestClient::fill(Clock::time_point deadline) {
    if (!connected()) return false;
    const auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now());
    pollfd entry{socket_.get(), POLLIN, 0};
    if (left.count() <= 0 || ::poll(&entry, 1, static_cast<int>(left.count())) <= 0) return false;
    char bytes[65536];
    const ssize_t got = ::recv(socket_.get(), bytes, sizeof bytes, 0);
    if (got <= 0) return false;
    buffer_.append(bytes, static_cast<std::size_t>(got));
    return true;
}

Reply TestClient::head() {
    const auto deadline = Clock::now() + std::chrono::seconds(20);
    while (true) {
        const std::size_t end = buffer_.find("\r\n\r\n");
        if (end != std::string::npos) {
            Reply reply = parsed_head(std::string_view(buffer_).substr(0, end + 4));
            buffer_.erase(0, end + 4);
            return reply;
        }
        if (!fill(deadline)) return {};
    }
}

bool TestClient::read_chunk(Clock::time_point deadline) {
    while (true) {
        const std::size_t line = buffer_.find("\r\n");
        if (line != std::string::npos) {
            const std::size_t size = std::stoul(buffer_.substr(0, line), nullptr, 16);
            if (buffer_.size() >= line + 2 + size + 2) {
                text_ += buffer_.substr(line + 2, size);
                buffer_.erase(0, line + 2 + size + 2);
                ended_ = size == 0;
                return size > 0;
            }
        }
        if (!fill(deadline)) {
            ended_ = true;
            return false;
        }
    }
}

Reply TestClient::reply(std::chrono::milliseconds most) {
    const auto deadline = Clock::now() + most;
    Reply reply = head();
    while (reply.status == 100) reply = head();
    if (reply.headers.contains("Transfer-Encoding")) {
        while (read_chunk(deadline)) {
        }
        reply.body = std::exchange(text_, {});
        ended_ = false;
        return reply;
    }
    const auto length = reply.headers.find("Content-Length");
    const std::size_t size = length == reply.headers.end() ? 0 : std::stoul(length->second);
    while (buffer_.size() < size && fill(deadline)) {
    }
    reply.body = buffer_.substr(0, size);
    buffer_.erase(0, std::min(size, buffer_.size()));
    return reply;
}

std::optional<Event> TestClient::event(std::chrono::milliseconds most) {
    const auto deadline = Clock::now() + most;
    while (true) {
        const std::size_t end = text_.find("\n\n");
        if (end != std::string::npos) {
            const std::string text = text_.substr(0, end);
            text_.erase(0, end + 2);
            const std::size_t data = text.find("\ndata: ");
            if (data == std::string::npos) continue;  // a comment
            return Event{text.substr(7, data - 7),
                         TestJson::parse(text.substr(data + 7), nullptr, false)};
        }
        if (ended_ || !read_chunk(deadline)) return std::nullopt;
    }
}

std::optional<Event> TestClient::event_named(std::string_view name) {
    while (auto next = event()) {
        if (next->name == name) return next;
    }
    return std::nullopt;
}

std::string request_text(std::string_view method, std::string_view path, std::string_view body,
                         std::string_view headers) {
    std::string text =
        fmt::format("{} {} HTTP/1.1\r\nHost: localhost\r\n{}", method, path, headers);
    if (method == "POST") {
        text +=
            fmt::format("Content-Type: application/json\r\nContent-Length: {}\r\n", body.size());
    }
    return fmt::format("{}\r\n{}", text, body);
}

Reply get(std::uint16_t port, std::string_view path, std::string_view headers) {
    TestClient client(port);
    client.send(request_text("GET", path, {}, headers));
    return client.reply();
}

Reply post(std::uint16_t port, std::string_view path, const TestJson& body) {
    TestClient client(port);
    client.send(request_text("POST", path, body.dump()));
    return client.reply();
}

}  // namespace solis::studio
