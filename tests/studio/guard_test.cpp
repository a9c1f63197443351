// Tests of who may ask, and of what the page is served with.
#include <fmt/format.h>

#include "solis/studio/page.h"
#include "tests/studio/studio_test.h"

namespace solis::studio {
namespace {

class GuardTest : public StudioTest {
  protected:
    [[nodiscard]] int status_of(std::string_view method, std::string_view path,
                                std::string_view headers) const {
        TestClient client(port());
        client.send(fmt::format("{} {} HTTP/1.1\r\n{}\r\n", method, path, headers));
        return client.reply().status;
    }
    [[nodiscard]] int status_of(std::string_view headers) const {
        return status_of("GET", "/api/v1/status", headers);
    }
};

TEST_F(GuardTest, OnlyThisMachinesNamesAreAnswered) {
    start();
    for (const char* host :
         {"localhost", "localhost:7771", "127.0.0.1", "127.0.0.1:80", "[::1]:80", "127.1.2.3"}) {
        EXPECT_EQ(status_of(fmt::format("Host: {}\r\n", host)), 200) << host;
    }
    for (const char* host :
         {"evil.example", "evil.example:7771", "localhost.evil.example", "127.0.0.1.evil.example",
          "127.evil.example", "192.168.0.1", "", "[", "[::1", "::1", "2130706433"}) {
        EXPECT_EQ(status_of(fmt::format("Host: {}\r\n", host)), 421) << host;
    }
}

TEST_F(GuardTest, OtherSitesAreNotAnswered) {
    start();
    const std::string host = "Host: localhost:7771\r\n";
    EXPECT_EQ(status_of(host + "Origin: http://localhost:7771\r\n"), 200);
    for (const char* origin : {"http://evil.example", "null", "https://localhost:7771",
                               "http://localhost:7772", "http://localhost", ""}) {
        EXPECT_EQ(status_of(fmt::format("{}Origin: {}\r\n", host, origin)), 403) << origin;
    }
    EXPECT_EQ(status_of(host + "Sec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: no-cors\r\n"), 403);
    EXPECT_EQ(status_of(host + "Sec-Fetch-Site: same-origin\r\n"), 200);
    EXPECT_EQ(status_of("OPTIONS", "/api/v1/plan", host), 405) << "no preflight is granted";
    EXPECT_FALSE(get(port(), "/api/v1/status").headers.contains("Access-Control-Allow-Origin"));
}

TEST_F(GuardTest, WithATokenNothingIsAnsweredWithoutIt) {
    StudioOptions options = small_options();
    options.guard.token = "0123456789abcdef";
    options.guard.numeric_hosts = true;
    start(options);
    const std::string host = "Host: 192.168.0.1\r\n";
    EXPECT_EQ(status_of(host), 401);
    EXPECT_EQ(status_of("GET", "/", host), 401);
    EXPECT_EQ(status_of(host + "Authorization: Bearer 0123456789abcdef\r\n"), 200);
    EXPECT_EQ(status_of(host + "Cookie: a=b; solis=0123456789abcdef\r\n"), 200);
    for (const char* wrong : {"", "0123456789abcde", "0123456789abcdeg", "0123456789abcdef0"}) {
        EXPECT_EQ(status_of(fmt::format("{}Authorization: Bearer {}\r\n", host, wrong)), 401);
        EXPECT_EQ(status_of("GET", fmt::format("/?token={}", wrong), host), 401) << wrong;
    }
    EXPECT_EQ(status_of("GET", "/api/v1/status?token=0123456789abcdef", host), 401);
    TestClient client(port());
    client.send("GET /?token=0123456789abcdef HTTP/1.1\r\n" + host + "\r\n");
    const Reply link = client.reply();
    EXPECT_EQ(link.status, 303);
    EXPECT_EQ(link.headers.at("Location"), "/");
    EXPECT_EQ(link.headers.at("Set-Cookie"),
              "solis=0123456789abcdef; Path=/; HttpOnly; SameSite=Strict");
}

TEST(Token, IsComparedAsAWhole) {
    EXPECT_TRUE(equal_in_constant_time("abc", "abc"));
    EXPECT_FALSE(equal_in_constant_time("abc", "abd"));
    EXPECT_FALSE(equal_in_constant_time("abc", "ab"));
    EXPECT_FALSE(equal_in_constant_time("abc", "abcabc"));
    EXPECT_FALSE(equal_in_constant_time("", "a"));
    EXPECT_NE(random_token(), random_token());
    EXPECT_EQ(random_token().size(), 32u);
}

TEST(Rate, RequestsBeyondItWaitAndThenAreRefused) {
    GuardOptions options;
    options.rate = 2000;
    options.patience = std::chrono::milliseconds(20);
    Guard guard(options);
    HttpRequest request;
    request.method = "POST";
    request.path = "/api/v1/position";
    request.peer = "127.0.0.1";
    request.headers = {{"host", "localhost"}};
    std::size_t refused = 0;
    const auto begin = std::chrono::steady_clock::now();
    for (int i = 0; i < 500; ++i) refused += guard.stop_at_the_door(request).has_value() ? 1 : 0;
    // One at a time they only wait: 100 beyond the burst of 400, at 2000 per second.
    EXPECT_EQ(refused, 0u);
    EXPECT_GE(std::chrono::steady_clock::now() - begin, std::chrono::milliseconds(40));
    options.rate = 1;
    options.patience = std::chrono::milliseconds(0);
    Guard strict(options);
    std::size_t answered = 0;
    for (int i = 0; i < 500; ++i) answered += strict.stop_at_the_door(request) ? 0 : 1;
    EXPECT_GE(answered, 400u);
    EXPECT_LE(answered, 402u);
    request.peer = "10.0.0.1";
    EXPECT_FALSE(strict.stop_at_the_door(request)) << "another address has its own share";
}

TEST_F(GuardTest, NoPathOpensAFile) {
    start();
    for (const char* path :
         {"/../../../etc/passwd", "/..%2f..%2f..%2fetc%2fpasswd", "/etc/passwd",
          "/%2e%2e/%2e%2e/etc/passwd", "//etc/passwd", "/assets/../../etc/passwd",
          "/api/v1/report/../../../etc/passwd", "/api/v1/watch/../m.jsonl",
          "/api/v1/report/..%2f..%2fetc%2fpasswd.html", "/.git/config"}) {
        const Reply reply = get(port(), path);
        EXPECT_EQ(reply.status, 404) << path;
        EXPECT_EQ(reply.body.find("root:"), std::string::npos) << path;
    }
}

TEST_F(GuardTest, EveryAnswerIsGuardedAgainstBeingMisused) {
    start();
    for (const char* path : {"/", "/api/v1/status", "/nothing"}) {
        const Reply reply = get(port(), path);
        EXPECT_EQ(reply.headers.at("X-Content-Type-Options"), "nosniff") << path;
        const std::string& policy = reply.headers.at("Content-Security-Policy");
        EXPECT_NE(policy.find("frame-ancestors 'none'"), std::string::npos) << path;
        EXPECT_EQ(policy.find("unsafe"), std::string::npos) << path;
    }
}

TEST_F(GuardTest, ThePageIsThereAndIsNotSentTwice) {
    start();
    const Reply page = get(port(), "/");
    EXPECT_EQ(page.status, 200);
    EXPECT_EQ(page.headers.at("Content-Type"), "text/html; charset=utf-8");
    if (page_files().empty()) {
        EXPECT_NE(page.body.find("built without its page"), std::string::npos);
        return;
    }
    EXPECT_EQ(page.headers.at("Content-Encoding"), "gzip");
    EXPECT_TRUE(page.body.starts_with("\x1f\x8b"));
    const Reply again = get(port(), "/", "If-None-Match: " + page.headers.at("ETag") + "\r\n");
    EXPECT_EQ(again.status, 304);
    for (const PageFile& file : page_files()) {
        EXPECT_EQ(get(port(), file.path).status, 200) << file.path;
    }
}

}  // namespace
}  // namespace solis::studio
