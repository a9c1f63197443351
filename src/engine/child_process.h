// A child process that is talked to in lines, with a deadline on everything.
#pragma once
#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <sys/types.h>

#include "base/result.h"

namespace solis::engine {

using Clock = std::chrono::steady_clock;

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
    LineTooLong  // more than kMaxLine bytes without a line end
};

// Runs in a process group of its own, so Ctrl-C reaches the parent only and killing takes the
// child's own children along. Its stderr is ours. Destroying it kills and reaps; SIGPIPE never
// reaches the parent. Not for use by two threads at once.
class ChildProcess {
  public:
    static constexpr std::size_t kMaxLine = std::size_t{1} << 20;

    // command[0] is a path, or a name to look up in PATH.
    [[nodiscard]] static Result<ChildProcess> start(const std::vector<std::string>& command);
    ChildProcess(ChildProcess&& other) noexcept;
    ChildProcess& operator=(ChildProcess&& other) noexcept;
    ~ChildProcess();

    // Writes all of `text`. Goes on reading meanwhile, so that two full pipes cannot deadlock.
    [[nodiscard]] IoStatus write(std::string_view text, Clock::time_point deadline);
    // The next line without its end (\n or \r\n), valid until the next call.
    [[nodiscard]] IoStatus read_line(std::string_view& line, Clock::time_point deadline);

    // None while it runs. Waits up to `patience` for the end.
    [[nodiscard]] std::optional<ExitStatus> exit_status(std::chrono::milliseconds patience);
    // Closes its standard input: the polite way to say that nothing more will come.
    void close_input();
    [[nodiscard]] pid_t pid() const { return pid_; }
    // CPU time of all its threads so far; 0 once it is gone.
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

}  // namespace solis::engine
