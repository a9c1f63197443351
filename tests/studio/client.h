// A client on a raw socket, so that tests can send what no proper client would.
#pragma once
#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

#include "solis/base/file_descriptor.h"

namespace solis::studio {

using TestJson = nlohmann::ordered_json;

struct Reply {
    int status = 0;  // 0: the connection ended without an answer
    std::map<std::string, std::string> headers{};
    std::string body{};

    [[nodiscard]] TestJson json() const { return TestJson::parse(body, nullptr, false); }
};

struct Event {
    std::string name;
    TestJson data;
};

class TestClient {
  public:
    explicit TestClient(std::uint16_t port);

    [[nodiscard]] bool connected() const { return socket_.is_open(); }
    // False where the other side has gone.
    bool send(std::string_view bytes);
    // A whole answer, its chunks joined.
    [[nodiscard]] Reply reply(std::chrono::milliseconds most = std::chrono::seconds(20));
    // The head of an answer, before events.
    [[nodiscard]] Reply head();
    // The next event of a stream; none when the stream has ended.
    [[nodiscard]] std::optional<Event> event(
        std::chrono::milliseconds most = std::chrono::seconds(20));
    // Skips events until one of that name.
    [[nodiscard]] std::optional<Event> event_named(std::string_view name);
    void close() { socket_ = FileDescriptor(); }

  private:
    [[nodiscard]] bool fill(std::chrono::steady_clock::time_point deadline);
    [[nodiscard]] bool read_chunk(std::chrono::steady_clock::time_point deadline);

    FileDescriptor socket_;
    std::string buffer_;
    std::string text_;  // of the stream, chunks taken off
    bool ended_ = false;
};

[[nodiscard]] std::string request_text(std::string_view method, std::string_view path,
                                       std::string_view body = {}, std::string_view headers = {});
[[nodiscard]] Reply get(std::uint16_t port, std::string_view path, std::string_view headers = {});
[[nodiscard]] Reply post(std::uint16_t port, std::string_view path, const TestJson& body);

}  // namespace solis::studio
