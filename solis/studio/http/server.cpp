// Listening, threads of connections, and the order of request and answer on each.
#include "solis/studio/http/server.h"

#include <array>
#include <cerrno>
#include <cstring>
#include <exception>
#include <system_error>

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>

namespace solis::studio {
namespace {

constexpr std::string_view kTakenHint = "another program uses the port";

struct AddressList {
    addrinfo* first = nullptr;
    AddressList() = default;
    AddressList(const AddressList&) = delete;
    AddressList& operator=(const AddressList&) = delete;
    ~AddressList() {
        if (first != nullptr) ::freeaddrinfo(first);
    }
};

Result<FileDescriptor> listening_socket(const addrinfo& address, const std::string& name) {
    const int fd = ::socket(address.ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd < 0) return fail(fmt::format("no socket for '{}': {}", name, std::strerror(errno)));
    FileDescriptor socket = FileDescriptor::own(fd);
    const int yes = 1;
    // A server that was just ended leaves connections behind that would hold the port for a while.
    (void)::setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    if (::bind(fd, address.ai_addr, address.ai_addrlen) != 0 || ::listen(fd, 1024) != 0) {
        const int reason = errno;
        return fail(fmt::format("cannot listen on {}: {}", name, std::strerror(reason)),
                    reason == EADDRINUSE ? std::string(kTakenHint) : "");
    }
    return socket;
}

std::uint16_t port_of(int fd) {
    sockaddr_storage address{};
    socklen_t size = sizeof address;
    if (::getsockname(fd, reinterpret_cast<sockaddr*>(&address), &size) != 0) return 0;
    if (address.ss_family == AF_INET6) {
        return ntohs(reinterpret_cast<const sockaddr_in6&>(address).sin6_port);
    }
    return ntohs(reinterpret_cast<const sockaddr_in&>(address).sin_port);
}

std::string address_text(const sockaddr_storage& address) {
    std::array<char, INET6_ADDRSTRLEN> text{};
    const void* bytes = &reinterpret_cast<const sockaddr_in&>(address).sin_addr;
    if (address.ss_family == AF_INET6) {
        bytes = &reinterpret_cast<const sockaddr_in6&>(address).sin6_addr;
    }
    return ::inet_ntop(address.ss_family, bytes, text.data(), text.size()) ? text.data() : "";
}

// A refusal before any handler was asked. The messages are ours and need no escapes.
HttpResponse refusal_response(const HttpRefusal& refusal) {
    HttpResponse response;
    response.status = refusal.status;
    response.body = fmt::format(R"({{"error":{{"message":"{}"}}}})", refusal.message);
    response.headers = {{"X-Content-Type-Options", "nosniff"}, {"Cache-Control", "no-store"}};
    return response;
}

// A body that is written bit by bit, in chunks where the client knows them.
class ConnectionStream final : public HttpStream {
  public:
    ConnectionStream(HttpConnection& connection, bool chunked)
        : connection_(connection), chunked_(chunked) {}

    [[nodiscard]] bool write(std::string_view bytes) override {
        if (bytes.empty() || failed_) return !failed_;
        const bool written =
            chunked_ ? connection_.write(fmt::format("{:x}\r\n{}\r\n", bytes.size(), bytes))
                     : connection_.write(bytes);
        failed_ = !written;
        return written;
    }
    [[nodiscard]] bool is_open() override { return !failed_ && connection_.is_open(); }
    // Whether the connection can be used for another request.
    [[nodiscard]] bool finish() { return !failed_ && chunked_ && connection_.write("0\r\n\r\n"); }

  private:
    HttpConnection& connection_;
    bool chunked_;
    bool failed_ = false;
};

}  // namespace

bool HttpServer::port_is_taken(const Error& error) { return error.hint == kTakenHint; }

Result<std::unique_ptr<HttpServer>> HttpServer::listen(const HttpOptions& options,
                                                       HttpHandler handler) {
    addrinfo hints{};
    hints.ai_socktype = SOCK_STREAM;
    hints.ai_flags = AI_PASSIVE | AI_NUMERICSERV;
    if (options.address != "localhost") hints.ai_flags |= AI_NUMERICHOST;
    AddressList addresses;
    const int wrong = ::getaddrinfo(options.address.c_str(), std::to_string(options.port).c_str(),
                                    &hints, &addresses.first);
    if (wrong != 0) {
        return fail(fmt::format("'{}' is no address of this machine", options.address),
                    "give a numeric one, for example 127.0.0.1 or 0.0.0.0");
    }
    auto socket = listening_socket(*addresses.first,
                                   fmt::format("{} port {}", options.address, options.port));
    if (!socket) return tl::unexpected(socket.error());
    const std::uint16_t port = port_of(socket->get());
    return std::unique_ptr<HttpServer>(
        new HttpServer(options, std::move(handler), std::move(*socket), port));
}

HttpServer::HttpServer(const HttpOptions& options, HttpHandler handler, FileDescriptor socket,
                       std::uint16_t port)
    : options_(options),
      handler_(std::move(handler)),
      socket_(std::move(socket)),
      port_(port),
      wake_(FileDescriptor::own(::eventfd(0, EFD_CLOEXEC))),
      acceptor_([this] { accept_clients(); }) {}

HttpServer::~HttpServer() { stop(); }

void HttpServer::stop() {
    if (!acceptor_.joinable()) return;
    stopping_ = true;
    const std::uint64_t one = 1;
    (void)!::write(wake_.get(), &one, sizeof one);
    acceptor_.join();
    socket_ = FileDescriptor();  // whoever still comes is told at once that nobody is here
    // Nobody adds clients any more, and only this thread removes them. They read nothing more and
    // have a moment to write what they are at; whoever does not take it by then is cut off.
    constexpr std::chrono::milliseconds kFarewell{1000}, kLook{5};
    for (Client& client : clients_) (void)::shutdown(client.connection.descriptor(), SHUT_RD);
    const auto deadline = std::chrono::steady_clock::now() + kFarewell;
    for (Client& client : clients_) {
        while (!client.done && std::chrono::steady_clock::now() < deadline) {
            std::this_thread::sleep_for(kLook);
        }
        if (!client.done) (void)::shutdown(client.connection.descriptor(), SHUT_RDWR);
    }
    for (Client& client : clients_) client.thread.join();
    clients_.clear();
}

void HttpServer::accept_clients() {
    while (!stopping_) {
        std::array<pollfd, 2> entries{{{socket_.get(), POLLIN, 0}, {wake_.get(), POLLIN, 0}}};
        if (::poll(entries.data(), entries.size(), 1000) > 0 && entries[0].revents != 0) {
            sockaddr_storage address{};
            socklen_t size = sizeof address;
            const int fd = ::accept4(socket_.get(), reinterpret_cast<sockaddr*>(&address), &size,
                                     SOCK_CLOEXEC | SOCK_NONBLOCK);
            if (fd >= 0) {
                begin(FileDescriptor::own(fd), address_text(address));
            } else if (errno == EMFILE || errno == ENFILE || errno == ENOMEM) {
                // No descriptors are left: the connection waits until some are.
                std::this_thread::sleep_for(std::chrono::milliseconds(20));
            }
        }
        forget_finished();
    }
}

void HttpServer::begin(FileDescriptor socket, std::string peer) {
    const int yes = 1;
    (void)::setsockopt(socket.get(), IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    HttpConnection connection(std::move(socket), std::move(peer), options_.limits, options_.times,
                              stopping_);
    const std::lock_guard lock(mutex_);
    std::string_view why = "too many connections";
    if (clients_.size() < options_.connections) {
        Client& client = clients_.emplace_back(std::move(connection));
        try {
            client.thread = std::thread([this, &client] { serve(client); });
            return;
        } catch (const std::system_error&) {
            connection = std::move(client.connection);
            clients_.pop_back();
            why = "no thread is left";
        }
    }
    const HttpResponse response = refusal_response({503, std::string(why)});
    // The socket's buffer is empty and takes this at once.
    (void)connection.write(http_head(response, response.body.size(), false, false) + response.body);
}

void HttpServer::forget_finished() {
    const std::lock_guard lock(mutex_);
    for (auto client = clients_.begin(); client != clients_.end();) {
        if (client->done) {
            client->thread.join();
            client = clients_.erase(client);
        } else {
            ++client;
        }
    }
}

void HttpServer::serve(Client& client) {
    while (!stopping_) {
        const auto request = client.connection.read_request();
        if (!request) {
            if (request.error().status == 0) break;
            const HttpResponse response = refusal_response(request.error());
            (void)client.connection.write(http_head(response, response.body.size(), false, false) +
                                          response.body);
            // Read by nobody, what is left of the request would reset the connection and take the
            // answer with it.
            (void)::shutdown(client.connection.descriptor(), SHUT_WR);
            client.connection.drain();
            break;
        }
        if (!answer(client.connection, *request)) break;
    }
    (void)::shutdown(client.connection.descriptor(), SHUT_RDWR);
    client.done = true;
}

bool HttpServer::answer(HttpConnection& connection, const HttpRequest& request) {
    HttpResponse response;
    try {
        response = handler_(request);
    } catch (const std::exception& error) {
        response = refusal_response({500, "the request could not be answered"});
    }
    const bool keeps_alive = request.keeps_alive && !stopping_;
    const bool without_body = request.method == "HEAD" || response.status == 304;
    if (!response.stream || without_body) {
        const std::string_view content = response.content();
        const std::string head = http_head(response, content.size(), keeps_alive, false);
        if (without_body) return connection.write(head) && keeps_alive;
        // One packet for small answers.
        if (content.size() < 4096)
            return connection.write(head + std::string(content)) && keeps_alive;
        return connection.write(head) && connection.write(content) && keeps_alive;
    }
    const bool chunked = !request.is_1_0;
    if (!connection.write(http_head(response, std::nullopt, keeps_alive && chunked, chunked))) {
        return false;
    }
    ConnectionStream stream(connection, chunked);
    try {
        response.stream(stream);
    } catch (const std::exception&) {
        return false;  // the missing last chunk tells the client that something is missing
    }
    return stream.finish() && keeps_alive;
}

}  // namespace solis::studio
