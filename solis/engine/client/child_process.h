// A child process that is talked to in lines, with a deadline on everything.
#pragma once
#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <sys/types.h>

#include "solis/base/result.h"
#include "solis/engine/client/engine_link.h"

namespace solis::engine {

// Runs in a process group of its own, so Ctrl-C reaches the parent only and killing takes the
// child's own children along. Its stderr is ours. Destroying it kills and reaps; SIGPIPE never
// reaches the parent.
class ChildProcess final : public EngineLink {
  public:
    static constexpr std::size_t kMaxLine = std::size_t{1} << 20;

    // command[0] is a path, or a name to look up in PATH.
    [[nodiscard]] static Result<ChildProcess> start(const std::vector<std::string>& command);
    ChildProcess(ChildProcess&& other) noexcept;
    ChildProcess& operator=(ChildProcess&& other) noexcept;
    ~ChildProcess() override;

    // Goes on reading meanwhile, so that two full pipes cannot deadlock.
    [[nodiscard]] IoStatus write(std::string_view text, Clock::time_point deadline) override;
    [[nodiscard]] IoStatus read_line(std::string_view& line, Clock::time_point deadline) override;
    // Closes its standard input.
    void close_input() override;
    [[nodiscard]] std::optional<ExitStatus> exit_status(
        std::chrono::milliseconds patience) override;
    [[nodiscard]] pid_t pid() const override { return pid_; }
    // 0 once it is gone.
    [[nodiscard]] std::chrono::duration<double> cpu_time() const override;

  private:
    ChildProcess(pid_t pid, int input, int output) : pid_(pid), input_(input), output_(output) {}

    // Reads what is there, at least one byte unless the deadline passes.
    [[nodiscard]] IoStatus fill(Clock::time_point deadline);
    // After poll() said that output_ is readable.
    [[nodiscard]] IoStatus read_some();
    void kill_and_reap();

    pid_t pid_ = -1;
    int input_ = -1;   // the child's stdin
    int output_ = -1;  // the child's stdout
    std::optional<ExitStatus> status_;
    std::vector<char> buffer_;
    std::size_t begin_ = 0;    // start of what has not been given out
    std::size_t end_ = 0;      // end of what was read
    std::size_t scanned_ = 0;  // no line end in [begin_, scanned_)
};

}  // namespace solis::engine
