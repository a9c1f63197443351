// HTTP/1.1 messages: requests as they are read, answers as they are written.
#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "solis/base/result.h"

namespace solis::studio {

using HttpFields = std::vector<std::pair<std::string, std::string>>;

struct HttpRequest {
    std::string method;
    std::string path;    // decoded, begins with '/'
    HttpFields query;    // decoded
    HttpFields headers;  // names in lower case
    std::string body;
    bool keeps_alive = true;  // what the client wants
    bool is_1_0 = false;      // knows no chunks
    std::uint64_t body_bytes = 0;
    std::string peer{};  // address

    // The first header or parameter of that name; none where there is none.
    [[nodiscard]] std::optional<std::string_view> header(std::string_view name) const;
    [[nodiscard]] std::optional<std::string_view> parameter(std::string_view name) const;
};

// A request that cannot be answered, and the status that says so.
struct HttpRefusal {
    int status = 400;
    std::string message{};
};

struct HttpLimits {
    std::size_t head_bytes = 16 << 10;
    std::size_t body_bytes = 4 << 20;
};

// Everything up to and with the empty line. Refuses what another program between could read in
// another way: doubled Host or Content-Length, Transfer-Encoding, bare line ends, spaces in names.
[[nodiscard]] tl::expected<HttpRequest, HttpRefusal> parse_http_head(std::string_view head,
                                                                     const HttpLimits& limits);
// %41 and, where `plus_is_space`, '+'. None for broken escapes and for bytes that are no UTF-8.
[[nodiscard]] std::optional<std::string> percent_decoded(std::string_view text, bool plus_is_space);

// Where the body of a stream goes. Used by the thread that answers.
class HttpStream {
  public:
    virtual ~HttpStream() = default;
    // False once the client cannot be reached any more, or does not read for a long time.
    [[nodiscard]] virtual bool write(std::string_view bytes) = 0;
    // False when the client has gone or the server shuts down.
    [[nodiscard]] virtual bool is_open() = 0;
};

struct HttpResponse {
    int status = 200;
    std::string type = "application/json";
    HttpFields headers{};
    std::string body{};
    std::string_view fixed_body{};  // instead of `body`: bytes that live as long as the program
    std::shared_ptr<const std::string> shared_body{};  // or bytes that others use as well
    // Instead of a body: writes it bit by bit and returns when it is complete.
    std::function<void(HttpStream&)> stream{};

    [[nodiscard]] std::string_view content() const {
        if (shared_body) return *shared_body;
        return fixed_body.empty() ? std::string_view(body) : fixed_body;
    }
};

// Status line and headers. `length` is none for a stream.
[[nodiscard]] std::string http_head(const HttpResponse& response, std::optional<std::size_t> length,
                                    bool keeps_alive, bool chunked);

}  // namespace solis::studio
