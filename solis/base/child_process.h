// A child process that is talked to over pipes, with a deadline on everything.
#pragma once
#include <chrono>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <sys/types.h>

#include "solis/base/result.h"

namespace solis {

// How a process ended.
struct ExitStatus {
    bool signalled = false;
    int code = 0;  // the signal where `signalled`, else the exit code

    // "exited with code 3" or "was killed by signal 11 (Segmentation fault)".
    [[nodiscard]] std::string text() const;

    friend bool operator==(const ExitStatus&, const ExitStatus&) = default;
};

enum class IoStatus {
    Done,
    TimedOut,
    Closed,      // the other end is gone
    LineTooLong  // longer than the link allows without a line end
};

// Runs in a process group of its own, so Ctrl-C reaches the parent only and killing takes the
// child's own children along. Its stderr is ours. Destroying it kills and reaps; SIGPIPE never
// reaches the parent.
class ChildProcess {
  public:
    using Clock = std::chrono::steady_clock;
    static constexpr std::size_t kMaxLine = std::size_t{1} << 20;

    // command[0] is a path, or a name to look up in PATH.
    [[nodiscard]] static Result<ChildProcess> start(const std::vector<std::string>& command);
    ChildProcess(ChildProcess&& other) noexcept;
    ChildProcess& operator=(ChildProcess&& other) noexcept;
    ~ChildProcess();

    // Goes on reading meanwhile, so that two full pipes cannot deadlock.
    [[nodiscard]] IoStatus write(std::string_view text, Clock::time_point deadline);
    // The next line without its end (\n or \r\n), valid until the next call.
    [[nodiscard]] IoStatus read_line(std::string_view& line, Clock::time_point deadline);
    // Fills all of `bytes` with what follows.
    [[nodiscard]] IoStatus read_bytes(std::span<char> bytes, Clock::time_point deadline);
    // Closes its standard input.
    void close_input();
    [[nodiscard]] std::optional<ExitStatus> exit_status(std::chrono::milliseconds patience);
    [[nodiscard]] pid_t pid() const { return pid_; }
    // 0 once it is gone.
    [[nodiscard]] std::chrono::duration<double> cpu_time() const;

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

}  // namespace solis
