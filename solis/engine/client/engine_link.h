// The way to a UCI engine and back, in lines with deadlines, wherever the engine runs.
#pragma once
#include <chrono>
#include <optional>
#include <string>
#include <string_view>

#include <sys/types.h>

#include "solis/base/child_process.h"

namespace solis::engine {

using Clock = std::chrono::steady_clock;

using solis::ExitStatus;
using solis::IoStatus;

// Destroying it ends the engine. Not for use by two threads at once.
class EngineLink {
  public:
    virtual ~EngineLink() = default;

    // Writes all of `text`.
    [[nodiscard]] virtual IoStatus write(std::string_view text, Clock::time_point deadline) = 0;
    // The next line without its end (\n or \r\n), valid until the next call.
    [[nodiscard]] virtual IoStatus read_line(std::string_view& line,
                                             Clock::time_point deadline) = 0;
    // The polite way to say that nothing more will come.
    virtual void close_input() = 0;
    // None while it runs. Waits up to `patience` for the end.
    [[nodiscard]] virtual std::optional<ExitStatus> exit_status(
        std::chrono::milliseconds patience) = 0;
    // Of its process; 0 where it has none of its own.
    [[nodiscard]] virtual pid_t pid() const = 0;
    // CPU time of all its threads so far; 0 where that is not known.
    [[nodiscard]] virtual std::chrono::duration<double> cpu_time() const = 0;
};

}  // namespace solis::engine
