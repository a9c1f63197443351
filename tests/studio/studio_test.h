// A whole studio on a free port, with the embedded model and a small map.
#pragma once
#include <memory>
#include <string>

#include <gtest/gtest.h>

#include "solis/studio/http/server.h"
#include "solis/studio/studio.h"
#include "tests/studio/client.h"

namespace solis::studio {

class StudioTest : public testing::Test {
  protected:
    static StudioOptions small_options() {
        StudioOptions options;
        options.version = "test";
        options.threads = 1;
        options.turn = std::chrono::milliseconds(300);
        options.map.count = 150;
        options.map.preview = 150;
        return options;
    }
    void start(const StudioOptions& options = small_options()) {
        auto studio = Studio::open(options);
        ASSERT_TRUE(studio) << studio.error().message;
        studio_ = std::move(*studio);
        auto server = HttpServer::listen(
            {}, [this](const HttpRequest& request) { return studio_->answer(request); });
        ASSERT_TRUE(server) << server.error().message;
        server_ = std::move(*server);
    }
    void TearDown() override {
        if (studio_) studio_->stop();
        if (server_) server_->stop();
    }

    [[nodiscard]] std::uint16_t port() const { return server_->port(); }
    // The answer to a call, which must succeed.
    [[nodiscard]] TestJson call(const std::string& name, const TestJson& body) const {
        const Reply reply = post(port(), "/api/v1/" + name, body);
        EXPECT_EQ(reply.status, 200) << name << " " << reply.body;
        return reply.json();
    }
    // The error of a call, which must fail.
    [[nodiscard]] TestJson refused(const std::string& name, const TestJson& body,
                                   int status = 422) const {
        const Reply reply = post(port(), "/api/v1/" + name, body);
        EXPECT_EQ(reply.status, status) << name << " " << reply.body;
        return reply.json()["error"];
    }
    [[nodiscard]] TestJson status() const { return get(port(), "/api/v1/status").json(); }
    // Begins a stream; the events follow.
    [[nodiscard]] TestClient stream(const std::string& name, const TestJson& body) const {
        TestClient client(port());
        client.send(request_text("POST", "/api/v1/" + name, body.dump()));
        const Reply head = client.head();
        EXPECT_EQ(head.status, 200);
        return client;
    }
    // Waits until the map of the default model is there.
    [[nodiscard]] TestJson ready_map() const;
    [[nodiscard]] bool nobody_thinks() const;

    std::unique_ptr<Studio> studio_;
    std::unique_ptr<HttpServer> server_;
};

}  // namespace solis::studio
