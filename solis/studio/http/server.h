// A small HTTP/1.1 server: one thread per connection, every wait has an end.
#pragma once
#include <atomic>
#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "solis/base/file_descriptor.h"
#include "solis/studio/http/connection.h"
#include "solis/studio/http/message.h"

namespace solis::studio {

// Called from many threads at once. An exception is answered with status 500.
using HttpHandler = std::function<HttpResponse(const HttpRequest&)>;

struct HttpOptions {
    std::string address = "127.0.0.1";  // numeric, or "localhost"
    std::uint16_t port = 0;             // 0: any that is free
    std::size_t connections = 512;      // more are turned away
    HttpLimits limits{};
    HttpTimes times{};
};

class HttpServer {
  public:
    // Fails where the address cannot be listened on; port_is_taken() says whether that is why.
    [[nodiscard]] static Result<std::unique_ptr<HttpServer>> listen(const HttpOptions& options,
                                                                    HttpHandler handler);
    [[nodiscard]] static bool port_is_taken(const Error& error);
    HttpServer(const HttpServer&) = delete;
    HttpServer& operator=(const HttpServer&) = delete;
    // stop().
    ~HttpServer();

    [[nodiscard]] std::uint16_t port() const { return port_; }
    // Takes no more connections, ends those there are and waits for their threads. The handlers of
    // streams see HttpStream::is_open become false.
    void stop();

  private:
    struct Client {
        HttpConnection connection;
        std::thread thread{};
        std::atomic<bool> done{false};

        explicit Client(HttpConnection c) : connection(std::move(c)) {}
    };

    HttpServer(const HttpOptions& options, HttpHandler handler, FileDescriptor socket,
               std::uint16_t port);

    void accept_clients();
    void begin(FileDescriptor socket, std::string peer);
    void serve(Client& client);
    [[nodiscard]] bool answer(HttpConnection& connection, const HttpRequest& request);
    void forget_finished();

    HttpOptions options_;
    HttpHandler handler_;
    FileDescriptor socket_;
    std::uint16_t port_;
    FileDescriptor wake_;  // an event that ends accept_clients
    std::atomic<bool> stopping_{false};
    std::mutex mutex_;
    std::list<Client> clients_;
    std::thread acceptor_;
};

}  // namespace solis::studio
