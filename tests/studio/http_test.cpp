// Tests of studio/http: what a stranger may send.
#include <thread>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "solis/studio/http/message.h"
#include "solis/studio/http/server.h"
#include "tests/studio/client.h"

namespace solis::studio {
namespace {

using std::chrono::milliseconds;

int refused_status(const std::string& head) {
    const auto request = parse_http_head(head, {});
    return request ? 200 : request.error().status;
}

TEST(HttpHead, IsReadWithPathQueryAndHeaders) {
    const auto request = parse_http_head(
        "GET /a%20b?x=1+2&y=%C3%A9&z HTTP/1.1\r\nHost: h\r\nX-Some:  text \r\n\r\n", {});
    ASSERT_TRUE(request) << request.error().message;
    EXPECT_EQ(request->path, "/a b");
    EXPECT_EQ(request->parameter("x"), "1 2");
    EXPECT_EQ(request->parameter("y"), "\u00e9");
    EXPECT_EQ(request->parameter("z"), "");
    EXPECT_EQ(request->parameter("w"), std::nullopt);
    EXPECT_EQ(request->header("x-some"), "text");
    EXPECT_TRUE(request->keeps_alive);
}

TEST(HttpHead, RefusesWhatCouldBeReadInTwoWays) {
    const std::string host = "Host: h\r\n";
    EXPECT_EQ(refused_status("GET / HTTP/1.1\r\n" + host + "\r\n"), 200);
    for (const std::string& wrong : std::initializer_list<std::string>{
             "GET / HTTP/1.1\r\n\r\n",                            // no Host
             "GET / HTTP/1.1\r\n" + host + host + "\r\n",         // two of them
             "GET / HTTP/2\r\n" + host + "\r\n",                  // another protocol
             "GET /\r\n" + host + "\r\n",                         // none
             "GET http://h/ HTTP/1.1\r\n" + host + "\r\n",        // a proxy's request
             "GET /%zz HTTP/1.1\r\n" + host + "\r\n",             // broken escape
             "GET /%ff HTTP/1.1\r\n" + host + "\r\n",             // no UTF-8
             "GET /%00 HTTP/1.1\r\n" + host + "\r\n",             // end of a C string
             "G(T / HTTP/1.1\r\n" + host + "\r\n",                // no word
             "GET / HTTP/1.1\r\n" + host + "Name : x\r\n\r\n",    // blank in a name
             "GET / HTTP/1.1\r\n" + host + " folded\r\n\r\n",     // continued line
             "GET / HTTP/1.1\nHost: h\n\n",                       // bare line ends
             "GET / HTTP/1.1\r\n" + host + "X: a\nY: b\r\n\r\n",  // one inside
             "GET / HTTP/1.1\r\n" + host + "X: \x01\r\n\r\n",     // control character
             "POST / HTTP/1.1\r\n" + host + "Content-Length: -1\r\n\r\n",
             "POST / HTTP/1.1\r\n" + host + "Content-Length: 1x\r\n\r\n",
             "POST / HTTP/1.1\r\n" + host + "Content-Length: 1\r\nContent-Length: 2\r\n\r\n",
             "POST / HTTP/1.1\r\n" + host + "Transfer-Encoding: chunked\r\n\r\n",
             "\r\n\r\n",
             "\r\n",
             ""}) {
        EXPECT_EQ(refused_status(wrong), 400) << wrong;
    }
    EXPECT_EQ(refused_status("POST / HTTP/1.1\r\n" + host + "Content-Length: 99999999999\r\n\r\n"),
              413);
    std::string many = "GET / HTTP/1.1\r\n" + host;
    for (int i = 0; i < 200; ++i) many += fmt::format("X{}: y\r\n", i);
    EXPECT_EQ(refused_status(many + "\r\n"), 431);
}

// Answers with what was asked; "/stream" writes a word every 10 ms until nobody listens.
class HttpServerTest : public testing::Test {
  protected:
    void start(HttpOptions options = {}) {
        auto server = HttpServer::listen(options, [this](const HttpRequest& request) {
            HttpResponse response;
            response.type = "text/plain";
            response.body = request.method + " " + request.path + " " + request.body;
            if (request.path == "/throw") throw std::runtime_error("broken");
            if (request.path == "/large") response.body = std::string(8 << 20, 'x');
            if (request.path == "/stream") {
                response.stream = [this](HttpStream& stream) {
                    while (stream.is_open() && stream.write("word ")) {
                        std::this_thread::sleep_for(milliseconds(10));
                    }
                    ++streams_ended;
                };
            }
            return response;
        });
        ASSERT_TRUE(server) << server.error().message;
        server_ = std::move(*server);
    }
    [[nodiscard]] std::uint16_t port() const { return server_->port(); }
    [[nodiscard]] bool streams_end(int count) const {
        for (int i = 0; i < 300 && streams_ended < count; ++i) {
            std::this_thread::sleep_for(milliseconds(10));
        }
        return streams_ended == count;
    }

    std::atomic<int> streams_ended{0};
    std::unique_ptr<HttpServer> server_;
};

TEST_F(HttpServerTest, AnswersSeveralRequestsOfOneConnectionInTheirOrder) {
    start();
    TestClient client(port());
    client.send(request_text("GET", "/1") + request_text("POST", "/2", "two") +
                request_text("GET", "/3"));
    EXPECT_EQ(client.reply().body, "GET /1 ");
    EXPECT_EQ(client.reply().body, "POST /2 two");
    EXPECT_EQ(client.reply().body, "GET /3 ");
    client.send("HEAD /4 HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n");
    const Reply head = client.head();
    EXPECT_EQ(head.status, 200);
    EXPECT_EQ(head.headers.at("Content-Length"), "8");
    EXPECT_EQ(client.reply().status, 0) << "the connection is closed, no body follows";
}

TEST_F(HttpServerTest, RequestsThatComeByteByByteAreUnderstood) {
    start();
    TestClient client(port());
    for (const char c : request_text("POST", "/x", "body")) client.send({&c, 1});
    EXPECT_EQ(client.reply().body, "POST /x body");
    client.send("POST /y HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n");
    EXPECT_EQ(client.head().status, 100);
    client.send("ab");
    EXPECT_EQ(client.reply().body, "POST /y ab");
}

TEST_F(HttpServerTest, GiantHeadersAndBodiesAreRefusedBeforeTheyAreRead) {
    start();
    TestClient headers(port());
    headers.send("GET / HTTP/1.1\r\nHost: h\r\nX: " + std::string(100'000, 'x') + "\r\n\r\n");
    EXPECT_EQ(headers.reply().status, 431);
    TestClient body(port());
    body.send("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 1000000000\r\n\r\n");
    EXPECT_EQ(body.reply().status, 413);
    TestClient address(port());
    address.send("GET /" + std::string(100'000, 'x') + " HTTP/1.1\r\nHost: h\r\n\r\n");
    EXPECT_EQ(address.reply().status, 431);
    EXPECT_EQ(get(port(), "/after").status, 200);
}

TEST_F(HttpServerTest, AHandlerThatThrowsIsStatus500AndTheServerGoesOn) {
    start();
    EXPECT_EQ(get(port(), "/throw").status, 500);
    EXPECT_EQ(get(port(), "/x").status, 200);
}

TEST_F(HttpServerTest, SlowClientsAreSentAwayHoweverTheyAreSlow) {
    HttpOptions options;
    options.times = {milliseconds(300), milliseconds(300), milliseconds(200), milliseconds(300)};
    start(options);
    const auto begin = std::chrono::steady_clock::now();
    // A header at a time, always in time for the next byte, never at an end.
    TestClient loris(port());
    loris.send("GET / HTTP/1.1\r\nHost: h\r\n");
    for (int i = 0; i < 100 && loris.send("X: y\r\n"); ++i) {
        std::this_thread::sleep_for(milliseconds(20));
    }
    EXPECT_EQ(loris.reply().status, 408);
    TestClient body(port());
    body.send("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 10\r\n\r\nabc");
    EXPECT_EQ(body.reply().status, 408);
    TestClient idle(port());
    EXPECT_EQ(idle.reply().status, 0);
    // Asks for much and reads nothing: the server's thread must come free.
    TestClient deaf(port());
    deaf.send(request_text("GET", "/large"));
    server_->stop();
    EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(15));
}

TEST_F(HttpServerTest, ConnectionsBeyondTheLimitAreTurnedAwayAndOthersAreServed) {
    HttpOptions options;
    options.connections = 3;
    start(options);
    std::vector<TestClient> held;
    for (int i = 0; i < 3; ++i) {
        held.emplace_back(port());
        held.back().send(request_text("GET", "/x"));
        EXPECT_EQ(held.back().reply().status, 200);
    }
    EXPECT_EQ(get(port(), "/y").status, 503);
    held.clear();
    int status = 0;
    for (int i = 0; i < 100 && status != 200; ++i) {
        std::this_thread::sleep_for(milliseconds(20));
        status = get(port(), "/y").status;
    }
    EXPECT_EQ(status, 200);
}

TEST_F(HttpServerTest, AStreamEndsWhenItsClientGoesAndWhenTheServerStops) {
    start();
    TestClient leaves(port());
    leaves.send(request_text("GET", "/stream"));
    EXPECT_EQ(leaves.head().status, 200);
    leaves.close();
    EXPECT_TRUE(streams_end(1));
    TestClient stays(port());
    stays.send(request_text("GET", "/stream"));
    EXPECT_EQ(stays.head().status, 200);
    server_->stop();
    EXPECT_EQ(streams_ended, 2);
    EXPECT_EQ(get(port(), "/x").status, 0);
}

TEST_F(HttpServerTest, APortThatIsTakenIsToldFromOtherTroubles) {
    start();
    HttpOptions same;
    same.port = port();
    const auto second = HttpServer::listen(same, {});
    ASSERT_FALSE(second);
    EXPECT_TRUE(HttpServer::port_is_taken(second.error())) << second.error().message;
    HttpOptions nowhere;
    nowhere.address = "203.0.113.1";
    const auto foreign = HttpServer::listen(nowhere, {});
    ASSERT_FALSE(foreign);
    EXPECT_FALSE(HttpServer::port_is_taken(foreign.error())) << foreign.error().message;
    nowhere.address = "example.org";
    EXPECT_FALSE(HttpServer::listen(nowhere, {}));
}

}  // namespace
}  // namespace solis::studio
