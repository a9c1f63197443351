// Spawning, non-blocking pipes and reaping.
#include "solis/base/child_process.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <ctime>
#include <thread>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

namespace solis {
namespace {

using Clock = ChildProcess::Clock;

constexpr std::size_t kReadSize = std::size_t{1} << 16;  // what a pipe holds

void close_fd(int& fd) {
    if (fd >= 0) ::close(fd);
    fd = -1;
}

// Closes itself unless released.
class Pipe {
  public:
    Pipe() = default;
    Pipe(const Pipe&) = delete;
    Pipe& operator=(const Pipe&) = delete;
    ~Pipe() {
        close_fd(ends_[0]);
        close_fd(ends_[1]);
    }
    [[nodiscard]] bool open() { return ::pipe2(ends_.data(), O_CLOEXEC) == 0; }
    [[nodiscard]] int reader() const { return ends_[0]; }
    [[nodiscard]] int writer() const { return ends_[1]; }
    [[nodiscard]] int release_reader() { return std::exchange(ends_[0], -1); }
    [[nodiscard]] int release_writer() { return std::exchange(ends_[1], -1); }

  private:
    std::array<int, 2> ends_{-1, -1};
};

// Writing to a dead child must be an error of this call, not a signal to the whole program.
class SigpipeGuard {
  public:
    SigpipeGuard() {
        sigset_t pending;
        ::sigpending(&pending);
        was_pending_ = ::sigismember(&pending, SIGPIPE) == 1;
        ::sigemptyset(&sigpipe_);
        ::sigaddset(&sigpipe_, SIGPIPE);
        ::pthread_sigmask(SIG_BLOCK, &sigpipe_, &old_mask_);
    }
    SigpipeGuard(const SigpipeGuard&) = delete;
    SigpipeGuard& operator=(const SigpipeGuard&) = delete;
    ~SigpipeGuard() {
        if (raised_ && !was_pending_) {
            const timespec at_once{0, 0};
            while (::sigtimedwait(&sigpipe_, nullptr, &at_once) < 0 && errno == EINTR) {
            }
        }
        ::pthread_sigmask(SIG_SETMASK, &old_mask_, nullptr);
    }
    void raised() { raised_ = true; }

  private:
    sigset_t sigpipe_{};
    sigset_t old_mask_{};
    bool was_pending_ = false;
    bool raised_ = false;
};

// The child starts with default signals whatever the parent ignores or blocks.
void set_child_attributes(posix_spawnattr_t& attributes) {
    sigset_t defaults;
    sigset_t none;
    ::sigemptyset(&none);
    ::sigemptyset(&defaults);
    for (const int signal : {SIGPIPE, SIGINT, SIGTERM, SIGHUP}) ::sigaddset(&defaults, signal);
    ::posix_spawnattr_setsigdefault(&attributes, &defaults);
    ::posix_spawnattr_setsigmask(&attributes, &none);
    ::posix_spawnattr_setpgroup(&attributes, 0);
    ::posix_spawnattr_setflags(
        &attributes, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP);
}

// 0 or the error number.
int spawn(const std::vector<std::string>& command, int child_stdin, int child_stdout, pid_t& pid) {
    std::vector<char*> arguments;
    for (const std::string& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
    arguments.push_back(nullptr);

    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    ::posix_spawn_file_actions_init(&actions);
    ::posix_spawnattr_init(&attributes);
    ::posix_spawn_file_actions_adddup2(&actions, child_stdin, STDIN_FILENO);
    ::posix_spawn_file_actions_adddup2(&actions, child_stdout, STDOUT_FILENO);
    set_child_attributes(attributes);
    const int error =
        ::posix_spawnp(&pid, arguments[0], &actions, &attributes, arguments.data(), environ);
    ::posix_spawnattr_destroy(&attributes);
    ::posix_spawn_file_actions_destroy(&actions);
    return error;
}

void set_non_blocking(int fd) { ::fcntl(fd, F_SETFL, ::fcntl(fd, F_GETFL) | O_NONBLOCK); }

// Rounded up, so that a poll never ends just before the deadline and spins.
int milliseconds_until(Clock::time_point deadline) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now());
    return static_cast<int>(std::clamp<long long>(left.count(), 0, 1'000'000'000));
}

ExitStatus decode(int status) {
    if (WIFSIGNALED(status)) return {true, WTERMSIG(status)};
    return {false, WEXITSTATUS(status)};
}

}  // namespace

std::string ExitStatus::text() const {
    if (!signalled) return fmt::format("exited with code {}", code);
    return fmt::format("was killed by signal {} ({})", code, ::strsignal(code));
}

Result<ChildProcess> ChildProcess::start(const std::vector<std::string>& command) {
    if (command.empty() || command[0].empty()) return fail("no program to start was given");
    Pipe to_child, from_child;
    if (!to_child.open() || !from_child.open()) {
        return fail(fmt::format("cannot make a pipe: {}", std::strerror(errno)),
                    "too many open files? see ulimit -n");
    }
    pid_t pid = -1;
    if (const int error = spawn(command, to_child.reader(), from_child.writer(), pid); error != 0) {
        return fail(fmt::format("cannot start '{}': {}", command[0], std::strerror(error)),
                    "check the path and that the file is executable");
    }
    set_non_blocking(to_child.writer());
    set_non_blocking(from_child.reader());
    return ChildProcess(pid, to_child.release_writer(), from_child.release_reader());
}

ChildProcess::ChildProcess(ChildProcess&& other) noexcept
    : pid_(std::exchange(other.pid_, -1)),
      input_(std::exchange(other.input_, -1)),
      output_(std::exchange(other.output_, -1)),
      status_(other.status_),
      buffer_(std::move(other.buffer_)),
      begin_(other.begin_),
      end_(other.end_),
      scanned_(other.scanned_) {}

ChildProcess& ChildProcess::operator=(ChildProcess&& other) noexcept {
    if (this == &other) return *this;
    kill_and_reap();
    pid_ = std::exchange(other.pid_, -1);
    input_ = std::exchange(other.input_, -1);
    output_ = std::exchange(other.output_, -1);
    status_ = other.status_;
    buffer_ = std::move(other.buffer_);
    begin_ = other.begin_;
    end_ = other.end_;
    scanned_ = other.scanned_;
    return *this;
}

ChildProcess::~ChildProcess() { kill_and_reap(); }

void ChildProcess::kill_and_reap() {
    close_fd(input_);
    close_fd(output_);
    if (pid_ <= 0) return;
    // The group may outlive its leader, so it is killed even where the child has ended.
    ::kill(-pid_, SIGKILL);
    if (!status_) {
        while (::waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) {
        }
    }
    pid_ = -1;
}

void ChildProcess::close_input() { close_fd(input_); }

std::optional<ExitStatus> ChildProcess::exit_status(std::chrono::milliseconds patience) {
    const Clock::time_point deadline = Clock::now() + patience;
    while (!status_ && pid_ > 0) {
        int status = 0;
        if (::waitpid(pid_, &status, WNOHANG) == pid_) {
            status_ = decode(status);
        } else if (Clock::now() >= deadline) {
            break;
        } else {
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        }
    }
    return status_;
}

std::chrono::duration<double> ChildProcess::cpu_time() const {
    clockid_t clock{};
    timespec time{};
    if (pid_ <= 0 || ::clock_getcpuclockid(pid_, &clock) != 0) return {};
    if (::clock_gettime(clock, &time) != 0) return {};
    return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
}

IoStatus ChildProcess::write(std::string_view text, Clock::time_point deadline) {
    if (input_ < 0) return IoStatus::Closed;
    SigpipeGuard guard;
    while (!text.empty()) {
        const ssize_t written = ::write(input_, text.data(), text.size());
        if (written >= 0) {
            text.remove_prefix(static_cast<std::size_t>(written));
            continue;
        }
        if (errno == EINTR) continue;
        if (errno != EAGAIN) {
            if (errno == EPIPE) guard.raised();
            return IoStatus::Closed;
        }
        std::array<pollfd, 2> watched{pollfd{input_, POLLOUT, 0}, pollfd{output_, POLLIN, 0}};
        const bool may_read = end_ - begin_ < kMaxLine;
        const int ready = ::poll(watched.data(), may_read ? 2 : 1, milliseconds_until(deadline));
        if (ready == 0) return IoStatus::TimedOut;
        if (ready > 0 && may_read && (watched[1].revents & POLLIN) != 0) {
            if (const IoStatus status = read_some(); status != IoStatus::Done) return status;
        }
    }
    return IoStatus::Done;
}

IoStatus ChildProcess::read_line(std::string_view& line, Clock::time_point deadline) {
    while (true) {
        if (scanned_ < end_) {
            const char* from = buffer_.data() + scanned_;
            if (const void* found = std::memchr(from, '\n', end_ - scanned_)) {
                const char* start = buffer_.data() + begin_;
                const char* stop = static_cast<const char*>(found);
                begin_ = scanned_ = static_cast<std::size_t>(stop - buffer_.data()) + 1;
                if (stop > start && stop[-1] == '\r') --stop;
                line = {start, static_cast<std::size_t>(stop - start)};
                return IoStatus::Done;
            }
            scanned_ = end_;
            if (end_ - begin_ > kMaxLine) return IoStatus::LineTooLong;
        }
        if (const IoStatus status = fill(deadline); status != IoStatus::Done) return status;
    }
}

IoStatus ChildProcess::read_bytes(std::span<char> bytes, Clock::time_point deadline) {
    while (!bytes.empty()) {
        if (begin_ == end_) {
            if (const IoStatus status = fill(deadline); status != IoStatus::Done) return status;
        }
        const std::size_t count = std::min(bytes.size(), end_ - begin_);
        std::memcpy(bytes.data(), buffer_.data() + begin_, count);
        bytes = bytes.subspan(count);
        begin_ += count;
        scanned_ = std::max(scanned_, begin_);
    }
    return IoStatus::Done;
}

IoStatus ChildProcess::fill(Clock::time_point deadline) {
    while (true) {
        if (output_ < 0) return IoStatus::Closed;
        // The deadline holds even while the child goes on printing.
        if (Clock::now() >= deadline) return IoStatus::TimedOut;
        pollfd watched{output_, POLLIN, 0};
        const int ready = ::poll(&watched, 1, milliseconds_until(deadline));
        if (ready > 0) return read_some();
        if (ready < 0 && errno != EINTR) return IoStatus::Closed;
    }
}

IoStatus ChildProcess::read_some() {
    if (begin_ > 0) {
        std::memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);
        end_ -= begin_;
        scanned_ -= begin_;
        begin_ = 0;
    }
    if (buffer_.size() < end_ + kReadSize) buffer_.resize(end_ + kReadSize);
    while (true) {
        const ssize_t got = ::read(output_, buffer_.data() + end_, buffer_.size() - end_);
        if (got > 0) {
            end_ += static_cast<std::size_t>(got);
            return IoStatus::Done;
        }
        if (got == 0) return IoStatus::Closed;
        if (errno == EAGAIN) return IoStatus::Done;
        if (errno != EINTR) return IoStatus::Closed;
    }
}

}  // namespace solis
