// CPU time, which other work on the machine disturbs less than the clock on the wall.
#pragma once
#include <ctime>

namespace solis::cli {

[[nodiscard]] inline double cpu_seconds(clockid_t clock) {
    timespec now{};
    ::clock_gettime(clock, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

// Of the calling thread, and of all threads of this process.
[[nodiscard]] inline double thread_cpu_seconds() { return cpu_seconds(CLOCK_THREAD_CPUTIME_ID); }
[[nodiscard]] inline double process_cpu_seconds() { return cpu_seconds(CLOCK_PROCESS_CPUTIME_ID); }

}  // namespace solis::cli
