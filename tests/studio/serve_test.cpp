// Tests of the command `solis serve` as a process.
#include <csignal>
#include <filesystem>

#include <gtest/gtest.h>

#include "solis/base/child_process.h"
#include "solis/studio/http/server.h"
#include "tests/studio/client.h"

namespace solis::studio {
namespace {

class ServeTest : public testing::Test {
  protected:
    // Starts the server and reads the link that it prints.
    void serve(std::vector<std::string> arguments) {
        std::vector<std::string> command{SOLIS_BINARY, "serve",   "--points",
                                         "50",         "--cache", "/dev/null"};
        command.insert(command.end(), arguments.begin(), arguments.end());
        auto process = ChildProcess::start(command);
        ASSERT_TRUE(process) << process.error().message;
        process_.emplace(std::move(*process));
        std::string_view line;
        const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(30);
        ASSERT_EQ(process_->read_line(line, deadline), IoStatus::Done);
        link_ = line;
        const std::size_t colon = link_.find(':', 7);
        ASSERT_NE(colon, std::string::npos) << link_;
        port_ = static_cast<std::uint16_t>(std::stoi(link_.substr(colon + 1)));
    }
    [[nodiscard]] int exit_code_after(int signal) {
        ::kill(process_->pid(), signal);
        const auto status = process_->exit_status(std::chrono::seconds(20));
        return status && !status->signalled ? status->code : -1;
    }

    std::optional<ChildProcess> process_;
    std::string link_;
    std::uint16_t port_ = 0;
};

TEST_F(ServeTest, AnswersAtItsLinkAndEndsCleanlyInTheMiddleOfAPlan) {
    serve({"--port", "0"});
    EXPECT_TRUE(link_.starts_with("http://127.0.0.1:")) << link_;
    EXPECT_EQ(get(port_, "/api/v1/status").json()["api"], 1);
    TestClient client(port_);
    client.send(request_text("POST", "/api/v1/plan", R"({"limits":{"infinite":true}})"));
    EXPECT_EQ(client.head().status, 200);
    ASSERT_TRUE(client.event_named("started"));
    EXPECT_EQ(exit_code_after(SIGINT), 0);
    const auto done = client.event_named("done");
    ASSERT_TRUE(done);
    EXPECT_EQ(done->data["reason"], "shutdown");
}

TEST_F(ServeTest, BeyondLoopbackTheLinkHasAToken) {
    serve({"--port", "0", "--listen", "0.0.0.0"});
    const std::size_t token = link_.find("?token=");
    ASSERT_NE(token, std::string::npos) << link_;
    EXPECT_EQ(get(port_, "/api/v1/status").status, 401);
    const std::string header = "Authorization: Bearer " + link_.substr(token + 7) + "\r\n";
    EXPECT_EQ(get(port_, "/api/v1/status", header).status, 200);
    EXPECT_EQ(exit_code_after(SIGTERM), 0);
}

TEST_F(ServeTest, APortThatIsTakenIsAnErrorThatOffersAnother) {
    const auto taken = HttpServer::listen({}, {});
    ASSERT_TRUE(taken);
    auto process = ChildProcess::start({SOLIS_BINARY, "serve", "--cache", "/dev/null", "--port",
                                        std::to_string((*taken)->port())});
    ASSERT_TRUE(process) << process.error().message;
    const auto status = process->exit_status(std::chrono::seconds(30));
    ASSERT_TRUE(status);
    EXPECT_EQ(status->code, 1);
}

}  // namespace
}  // namespace solis::studio
