// An engine in a process of its own.
#pragma once
#include <utility>
#include <vector>

#include "solis/base/child_process.h"
#include "solis/engine/client/engine_link.h"

namespace solis::engine {

class ChildProcess final : public EngineLink {
  public:
    static constexpr std::size_t kMaxLine = solis::ChildProcess::kMaxLine;

    // command[0] is a path, or a name to look up in PATH.
    [[nodiscard]] static Result<ChildProcess> start(const std::vector<std::string>& command) {
        auto process = solis::ChildProcess::start(command);
        if (!process) return tl::unexpected(process.error());
        return ChildProcess(std::move(*process));
    }

    [[nodiscard]] IoStatus write(std::string_view text, Clock::time_point deadline) override {
        return process_.write(text, deadline);
    }
    [[nodiscard]] IoStatus read_line(std::string_view& line, Clock::time_point deadline) override {
        return process_.read_line(line, deadline);
    }
    void close_input() override { process_.close_input(); }
    [[nodiscard]] std::optional<ExitStatus> exit_status(
        std::chrono::milliseconds patience) override {
        return process_.exit_status(patience);
    }
    [[nodiscard]] pid_t pid() const override { return process_.pid(); }
    [[nodiscard]] std::chrono::duration<double> cpu_time() const override {
        return process_.cpu_time();
    }

  private:
    explicit ChildProcess(solis::ChildProcess process) : process_(std::move(process)) {}

    solis::ChildProcess process_;
};

}  // namespace solis::engine
