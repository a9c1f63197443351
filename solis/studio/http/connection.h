// One client's connection: reads and writes that end at a deadline, whatever the client does.
#pragma once
#include <atomic>
#include <chrono>
#include <string>
#include <string_view>

#include "solis/base/file_descriptor.h"
#include "solis/studio/http/message.h"

namespace solis::studio {

struct HttpTimes {
    std::chrono::milliseconds head{10'000};  // for a request's head to arrive, from its first byte
    std::chrono::milliseconds body{20'000};  // for its body
    std::chrono::milliseconds idle{30'000};  // between two requests
    // For a client to take what is written; larger answers get a second more per 64 KB.
    std::chrono::milliseconds write{15'000};
};

class HttpConnection {
  public:
    // The socket does not block. `stopping` is that of the server, which also shuts the socket
    // down when it is set.
    HttpConnection(FileDescriptor socket, std::string peer, const HttpLimits& limits,
                   const HttpTimes& times, const std::atomic<bool>& stopping)
        : socket_(std::move(socket)),
          peer_(std::move(peer)),
          limits_(&limits),
          times_(&times),
          stopping_(&stopping) {}

    // The next request; refused with status 0 where there is none any more and nothing to say.
    [[nodiscard]] tl::expected<HttpRequest, HttpRefusal> read_request();
    // All of it, within the time for it.
    [[nodiscard]] bool write(std::string_view bytes);
    // Reads and forgets what a refused client still sends, for a moment.
    void drain();
    // False when the client has closed its side, or the server stops.
    [[nodiscard]] bool is_open() const;

    [[nodiscard]] int descriptor() const { return socket_.get(); }

  private:
    using Clock = std::chrono::steady_clock;
    enum class Read { Some, Gone, Late };

    [[nodiscard]] Read read_some(Clock::time_point deadline);
    [[nodiscard]] tl::expected<std::size_t, HttpRefusal> read_head();

    FileDescriptor socket_;
    std::string peer_;
    // Of the server, which outlives its connections.
    const HttpLimits* limits_;
    const HttpTimes* times_;
    const std::atomic<bool>* stopping_;
    std::string buffer_;  // read and not used yet
};

}  // namespace solis::studio
